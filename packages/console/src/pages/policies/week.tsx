import type { DialWindow } from '@switchboard/client';
import { DAYS, spansOf, spanText, weekText } from '../../data/dial-rules.ts';

const HOURS = [0, 6, 12, 18, 24];
const DAY_MINUTES = 24 * 60;

/** Windows drawn on a week. Without windows, phones may ring at any time. */
export function Week({ windows }: { windows: DialWindow[] }) {
  const isAlways = windows.length === 0;
  return (
    <figure className="week">
      <div className="week-plot" role="img" aria-label={isAlways ? 'At any time' : weekText(windows)}>
        <div className="week-hours muted small number">
          {HOURS.map((hour) => (
            <span key={hour} style={{ insetBlockStart: `${(hour / 24) * 100}%` }}>
              {hour}
            </span>
          ))}
        </div>
        {DAYS.map((day) => (
          <div key={day} className="week-day">
            <div className="week-track">
              {(isAlways ? [{ from: 0, to: DAY_MINUTES }] : spansOf(windows, day)).map((span) => (
                <span
                  key={span.from}
                  className="week-span"
                  title={spanText(span)}
                  style={{
                    insetBlockStart: `${(span.from / DAY_MINUTES) * 100}%`,
                    blockSize: `${((span.to - span.from) / DAY_MINUTES) * 100}%`,
                  }}
                />
              ))}
            </div>
            <span className="muted small">{day.slice(0, 2)}</span>
          </div>
        ))}
      </div>
      <figcaption className="small">
        {isAlways ? 'At any time.' : `${weekText(windows)}, in the time of the person.`}
      </figcaption>
    </figure>
  );
}

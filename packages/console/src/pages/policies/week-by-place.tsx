import type { DialRules, Purpose } from '@switchboard/client';
import { useState } from 'react';
import { type Place, PURPOSES, placeLabel, placesOf, windowsFor } from '../../data/dial-rules.ts';
import { Week } from './week.tsx';

const EVERYBODY: Place = { country: null, region: null };

/** The week of one place and one purpose, of those that the rules tell apart. */
export function WeekByPlace({ rules }: { rules: DialRules }) {
  const [chosen, setChosen] = useState(0);
  const [purpose, setPurpose] = useState<Purpose>('marketing');
  const places = placesOf(rules);
  const place = places[chosen] ?? places[0] ?? EVERYBODY;
  const hasPurposes = rules.windows?.some(({ purposes }) => purposes) ?? false;
  return (
    <div className="week-by-place">
      {(places.length > 1 || hasPurposes) && (
        <div className="filters">
          {places.length > 1 && (
            <select aria-label="Where" value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
              {places.map((one, index) => (
                <option key={placeLabel(one)} value={index}>
                  {placeLabel(one)}
                </option>
              ))}
            </select>
          )}
          {hasPurposes && (
            <select aria-label="Purpose" value={purpose} onChange={({ target }) => setPurpose(target.value as Purpose)}>
              {PURPOSES.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          )}
        </div>
      )}
      {places.length === 1 && place.country && <p className="small">{placeLabel(place)}; elsewhere at any time.</p>}
      <Week windows={windowsFor(rules, place, purpose)} />
    </div>
  );
}

import type { Recording, RecordingLevels, Turn } from '@switchboard/client';
import { useMemo } from 'react';
import { momentsOf, outlineOf, type Part } from '../../data/waveform.ts';
import { formatSeconds } from '../../ui/time.tsx';

const [HEIGHT, MIDDLE, REACH] = [96, 48, 46];

const GAPS: Record<Recording['gaps'][number]['why'], string> = {
  paused: 'Paused',
  redacted: 'Redacted',
  segment_lost: 'Missing',
  worker_lost: 'Missing',
};

interface Props {
  recording: Recording;
  levels: RecordingLevels | undefined;
  turns: Turn[];
  /** The position, in seconds after the start. */
  at: number;
  onSeek: (seconds: number) => void;
  onToggle: () => void;
}

/** A picture of who speaks when: the agent above the line, the others below. It is also the control of the position. */
export function Wave({ recording, levels, turns, at, onSeek, onToggle }: Props) {
  const { duration_ms, gaps } = recording;
  const duration = duration_ms / 1000;
  return (
    <div className="wave">
      {levels && <Outline levels={levels} duration_ms={duration_ms} gaps={gaps} />}
      <span className="wave-place" style={{ insetInlineStart: `${(100 * at) / Math.max(duration, 0.1)}%` }} />
      <input
        type="range"
        aria-label="Position in the recording"
        aria-valuetext={`${formatSeconds(Math.floor(at))} of ${formatSeconds(Math.round(duration))}`}
        min={0}
        max={duration}
        step={1}
        value={at}
        onChange={({ target }) => onSeek(Number(target.value))}
        onKeyDown={(event) => {
          if (event.key !== ' ') return;
          event.preventDefault();
          onToggle();
        }}
      />
      <Waits recording={recording} turns={turns} />
    </div>
  );
}

function Outline({ levels, duration_ms, gaps }: Pick<Recording, 'duration_ms' | 'gaps'> & { levels: RecordingLevels }) {
  const { interval_ms, sides } = levels;
  const width = Math.max(1, duration_ms / interval_ms);
  const moments = useMemo(() => momentsOf(levels), [levels]);
  const bar = ({ from_ms, to_ms }: Part, className: string, title: string) => (
    <rect
      key={`${className} ${from_ms}`}
      className={className}
      x={from_ms / interval_ms}
      width={(to_ms - from_ms) / interval_ms}
      height={HEIGHT}
    >
      <title>{`${title}, ${formatSeconds((to_ms - from_ms) / 1000)}`}</title>
    </rect>
  );
  return (
    <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={describe(moments)}>
      {moments.silences.map((part) => bar(part, 'silence', 'Silence'))}
      {gaps.map((part) => bar(part, 'gap', GAPS[part.why]))}
      {sides.map(({ side, levels }) => (
        <path key={side} className={`side ${side}`} d={outlineOf(levels, MIDDLE, side === 'others' ? REACH : -REACH)} />
      ))}
      {moments.overlaps.map((part) => bar(part, 'overlap', 'Both speak'))}
    </svg>
  );
}

function describe({ silences, overlaps }: ReturnType<typeof momentsOf>): string {
  const count = (parts: Part[], one: string) => `${parts.length} ${one}${parts.length === 1 ? '' : 's'}`;
  return `Loudness of both sides: ${count(silences, 'silence')}, ${count(overlaps, 'time')} in which both speak`;
}

/** The latency of each turn, from the end of the caller's words to the first sound of the answer. */
function Waits({ recording: { started_at, duration_ms }, turns }: { recording: Recording; turns: Turn[] }) {
  if (started_at === null) return null;
  const share = (ms: number) => `${(100 * ms) / Math.max(1, duration_ms)}%`;
  return (
    <span className="waits" aria-hidden="true">
      {turns.map(({ turn_index, end_of_speech_at, first_audio_ms }) => {
        const from = Date.parse(end_of_speech_at) - Date.parse(started_at);
        if (first_audio_ms === null || from < 0 || from > duration_ms) return null;
        return (
          <span
            key={turn_index}
            title={`${first_audio_ms} ms to the first sound`}
            style={{ insetInlineStart: share(from), inlineSize: share(first_audio_ms) }}
          />
        );
      })}
    </span>
  );
}

import type { Speaker, Transcript } from '@switchboard/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Followed } from '../../data/call-events.ts';
import { Failure } from '../../ui/failure.tsx';
import { Section } from '../../ui/page.tsx';
import { formatSeconds, Time } from '../../ui/time.tsx';
import type { Player } from './player.tsx';

const NAMES: Record<Speaker, string> = { AGENT: 'Agent', USER: 'Caller', SYSTEM: 'System' };

const SECOND = 1_000;

/** A line that somebody wants to see; another object for each time. */
export interface ShownLine {
  id: string;
}

interface Props {
  followed: Followed;
  isOpen: boolean;
  startedAt: string | null;
  /** The recording that is open: each line can be heard. */
  player: Player | null;
  /** The line to go to. */
  shown: ShownLine | null;
}

/** The transcript, each line with the time since the answer. */
export function TranscriptView({ followed: { lines, error, retry }, isOpen, startedAt, player, shown: wanted }: Props) {
  const [sought, setSought] = useState('');
  const list = useRef<HTMLOListElement>(null);
  useShownLine(list, wanted, lines, player, () => setSought(''));
  const words = sought.trim().toLowerCase();
  const heard = player ? heardIn(lines, player) : undefined;
  const shown = words ? lines.filter(({ content }) => content.toLowerCase().includes(words)) : lines;
  return (
    <Section
      title="Transcript"
      actions={
        lines.length > 3 && (
          <input
            type="search"
            className="small-search"
            placeholder="Search"
            aria-label="Search the transcript"
            value={sought}
            onChange={(event) => setSought(event.target.value)}
            data-search
          />
        )
      }
    >
      <ol className="transcript" ref={list} aria-live={isOpen ? 'polite' : 'off'}>
        {shown.map((line) => (
          <Line
            key={line.id}
            line={line}
            isHeard={line === heard}
            isShown={line.id === wanted?.id}
            startedAt={startedAt}
            onHear={player && (() => player.seek(beginOf(line, lines, player)))}
          />
        ))}
      </ol>
      {error ? <Incomplete error={error} onRetry={retry} /> : null}
      {lines.length === 0 && !error && (
        <p className="muted">
          {isOpen ? 'Nothing has been said yet.' : 'Nothing was said, or the worker did not report it.'}
        </p>
      )}
      {words && shown.length === 0 && lines.length > 0 && <p className="muted">Nobody said “{sought}”.</p>}
    </Section>
  );
}

const Incomplete = (failed: { error: unknown; onRetry: () => void }) => (
  <>
    <p className="problem">The transcript is incomplete.</p>
    <Failure {...failed} />
  </>
);

/** Goes to a line, and if a recording is open, plays from there. A search that hides the line is cleared. */
function useShownLine(
  list: RefObject<HTMLOListElement | null>,
  wanted: ShownLine | null,
  lines: Transcript[],
  player: Player | null,
  clear: () => void,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a wish goes there, not what changes meanwhile.
  useEffect(() => {
    if (!wanted) return;
    clear();
    const line = lines.find(({ id }) => id === wanted.id);
    if (line) player?.seek(beginOf(line, lines, player));
    // Once a search that hid it is cleared.
    const frame = requestAnimationFrame(() => {
      const place = list.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(wanted.id)}"]`);
      place?.scrollIntoView({ block: 'center' });
      place?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [wanted]);
}

/** When a line began, in milliseconds since 1970: as its worker said, or after the end of the one before. */
function beginOf(line: Transcript, lines: Transcript[], { starts }: Player): number {
  const before = lines[lines.indexOf(line) - 1];
  return starts.get(line.id) ?? (before ? Date.parse(before.timestamp) : 0);
}

/** The line that is played in a second: the last one that has begun and has not ended. */
function heardIn(lines: Transcript[], player: Player): Transcript | undefined {
  const hasBegun = (line: Transcript) => beginOf(line, lines, player) < player.at + SECOND;
  return lines.findLast((line) => Date.parse(line.timestamp) > player.at && hasBegun(line));
}

interface LineProps {
  line: Transcript;
  isHeard: boolean;
  /** Somebody wanted to see it. */
  isShown: boolean;
  startedAt: string | null;
  onHear: (() => void) | null;
}

function Line({ line: { id, speaker, content, timestamp }, isHeard, isShown, startedAt, onHear }: LineProps) {
  const since = startedAt ? (Date.parse(timestamp) - Date.parse(startedAt)) / 1000 : null;
  const shown = since !== null && since >= 0 ? formatSeconds(Math.floor(since)) : <Time at={timestamp} />;
  return (
    <li
      className={`line ${speaker.toLowerCase()}`}
      aria-current={isHeard || isShown || undefined}
      data-line={id}
      tabIndex={-1}
    >
      <span className="speaker">{NAMES[speaker]}</span>
      <p>{content}</p>
      <span className="line-time number" title={timestamp}>
        {onHear ? (
          <button type="button" className="hear" onClick={onHear}>
            {shown}
            <span className="unseen"> Hear: {content}</span>
          </button>
        ) : (
          shown
        )}
      </span>
    </li>
  );
}

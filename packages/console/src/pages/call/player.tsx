import type { Recording, RecordingLevels } from '@switchboard/client';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useCallTurns } from '../../data/calls.ts';
import { useRecordingLevels } from '../../data/recordings.ts';
import { Button } from '../../ui/button.tsx';
import { Legend } from '../../ui/legend.tsx';
import { formatSeconds } from '../../ui/time.tsx';
import { Wave } from './wave.tsx';

const SPEEDS = [0.75, 1, 1.25, 1.5, 2];
const SIDES = [
  { name: 'Agent', className: 'series-0' },
  { name: 'Other side', className: 'series-1' },
  { name: 'Both speak', className: 'series-5' },
  { name: 'Nobody speaks', className: 'series-others' },
  { name: 'Wait for the answer', className: 'series-2' },
];

/** A recording that is open: what is played, in milliseconds since 1970, and how to go to another time. */
export interface Player {
  /** The time of what is played, to the second. */
  at: number;
  /** When lines of the transcript begin, by their ids, of which that is known. */
  starts: ReadonlyMap<string, number>;
  /** Plays from a time in milliseconds since 1970. */
  seek: (at: number) => void;
}

interface Props {
  recording: Recording;
  /** The link to the audio; null until somebody has asked to hear it. */
  url: string | null;
  /** Called when the audio cannot be read on: the link may have expired. With another one it goes on where it was. */
  onCut: () => void;
  onPlayer: (player: Player | null) => void;
  /** Other actions. */
  children: ReactNode;
}

/** A recording as a picture, and with a link to its audio as a player. */
export function RecordingPlayer({ recording, url, onCut, onPlayer, children }: Props) {
  const element = useRef<HTMLAudioElement>(null);
  const { at, isPlaying } = usePlayed(element, url);
  const levels = useRecordingLevels(recording).data;
  const turns = useCallTurns(recording.call_id).data ?? [];
  const seek = (seconds: number) => {
    if (element.current) element.current.currentTime = Math.max(0, seconds);
  };
  const toggle = () => {
    if (isPlaying) element.current?.pause();
    else play(element.current);
  };
  const starts = useMemo(() => startsOf(recording, levels), [recording, levels]);
  useOpenPlayer({ recording, url, element, starts, at, onPlayer });
  return (
    <>
      <Wave recording={recording} levels={levels} turns={turns} at={at} onSeek={seek} onToggle={toggle} />
      {(levels?.sides.length ?? 0) > 1 && <Legend items={SIDES} />}
      <div className="player">
        {url !== null && (
          <>
            {/* biome-ignore lint/a11y/useMediaCaption: the transcript above is its caption. */}
            <audio ref={element} src={url} preload="auto" onError={onCut} />
            <Button kind="primary" onClick={toggle}>
              {isPlaying ? 'Pause' : 'Play'}
            </Button>
            <span className="number" role="timer" aria-label="Time">
              {formatSeconds(Math.floor(at))} / {formatSeconds(Math.round(recording.duration_ms / 1000))}
            </span>
            <Speed element={element} />
          </>
        )}
        {children}
      </div>
    </>
  );
}

/** A pause that follows at once rejects it: no failure. */
function play(audio: HTMLAudioElement | null): void {
  audio?.play().catch(() => {});
}

function Speed({ element }: { element: RefObject<HTMLAudioElement | null> }) {
  const [speed, setSpeed] = useState(1);
  const choose = (rate: number) => {
    setSpeed(rate);
    if (element.current) element.current.playbackRate = rate;
  };
  return (
    <select aria-label="Speed" value={speed} onChange={({ target }) => choose(Number(target.value))}>
      {SPEEDS.map((rate) => (
        <option key={rate} value={rate}>
          {rate} ×
        </option>
      ))}
    </select>
  );
}

/** The position in seconds, and whether it is moving. */
function usePlayed(element: RefObject<HTMLAudioElement | null>, url: string | null) {
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the element exists once there is a link.
  useEffect(() => {
    const audio = element.current;
    if (!audio) return;
    const stop = new AbortController();
    const follow = () => {
      setAt(audio.currentTime);
      setPlaying(!audio.paused);
    };
    // A new link continues where the one before it stopped.
    audio.currentTime = at;
    follow();
    for (const event of ['timeupdate', 'seeking', 'seeked', 'play', 'pause', 'ended'])
      audio.addEventListener(event, follow, { signal: stop.signal });
    return () => stop.abort();
  }, [element, url]);
  return { at, isPlaying };
}

/** When lines begin in a recording, in milliseconds since 1970. */
function startsOf({ started_at }: Recording, levels: RecordingLevels | undefined): ReadonlyMap<string, number> {
  const startedAt = Date.parse(started_at ?? '');
  return new Map(levels?.lines.map(({ transcript_id, from_ms }) => [transcript_id, startedAt + from_ms]));
}

interface Open extends Pick<Props, 'recording' | 'url' | 'onPlayer'>, Pick<Player, 'at' | 'starts'> {
  element: RefObject<HTMLAudioElement | null>;
}

/** Lets the rest of the page follow what is played, and go elsewhere. */
function useOpenPlayer({ recording: { started_at }, url, element, starts, at, onPlayer }: Open): void {
  const second = Math.floor(at);
  useEffect(() => {
    if (started_at === null || url === null) return;
    const startedAt = Date.parse(started_at);
    onPlayer({
      at: startedAt + second * 1000,
      starts,
      seek: (time) => {
        if (!element.current) return;
        element.current.currentTime = Math.max(0, (time - startedAt) / 1000);
        play(element.current);
      },
    });
  }, [started_at, url, second, starts, element, onPlayer]);
  useEffect(() => (url === null ? undefined : () => onPlayer(null)), [url, onPlayer]);
}

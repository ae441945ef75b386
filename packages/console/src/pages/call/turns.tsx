import type { CallDetail, Turn } from '@switchboard/client';
import { useCallTurns } from '../../data/calls.ts';
import { Failure } from '../../ui/failure.tsx';
import { Legend } from '../../ui/legend.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { formatSeconds, Time } from '../../ui/time.tsx';

const MARKS = ['Transcript', 'First token', 'First sound'].map((name, place) => ({
  name,
  className: `series-${place}`,
}));

/** Latency of each turn: the times from the end of the caller's speech to transcript, first token and first audio. */
export function Turns({ call }: { call: CallDetail }) {
  const turns = useCallTurns(call.call_id);
  const slowest = Math.max(1, ...(turns.data ?? []).map(({ first_audio_ms }) => first_audio_ms ?? 0));
  const columns: Column<Turn>[] = [
    { title: 'Turn', cell: ({ turn_index }) => turn_index + 1 },
    { title: 'At', cell: (turn) => <At turn={turn} call={call} />, isNumber: true },
    { title: 'Transcript', cell: ({ transcript_ms }) => <Ms value={transcript_ms} />, isNumber: true, isMinor: true },
    {
      title: 'First token',
      cell: ({ first_token_ms }) => <Ms value={first_token_ms} />,
      isNumber: true,
      isMinor: true,
    },
    { title: 'First sound', cell: ({ first_audio_ms }) => <Ms value={first_audio_ms} />, isNumber: true },
    { title: 'Wait', cell: (turn) => <Wait turn={turn} slowest={slowest} /> },
  ];
  return (
    <Section title="Turns" actions={turns.data && turns.data.length > 0 && <Median turns={turns.data} />}>
      {turns.isPending && <Skeleton lines={2} />}
      {turns.error && <Failure error={turns.error} onRetry={turns.refetch} />}
      {turns.data?.length === 0 && <p className="muted">The worker has not reported the latency of any turn.</p>}
      {turns.data && turns.data.length > 0 && (
        <>
          <Table label="Turns" columns={columns} rows={turns.data} keyOf={({ turn_index }) => String(turn_index)} />
          <Legend items={MARKS} />
        </>
      )}
    </Section>
  );
}

function At({ turn: { end_of_speech_at }, call: { started_at } }: { turn: Turn; call: CallDetail }) {
  const since = started_at ? (Date.parse(end_of_speech_at) - Date.parse(started_at)) / 1000 : -1;
  return since >= 0 ? (
    <span title={end_of_speech_at}>{formatSeconds(since)}</span>
  ) : (
    <Time at={end_of_speech_at} precise />
  );
}

function Ms({ value }: { value: number | null }) {
  return value === null ? <span className="muted">–</span> : <span className="nowrap">{value} ms</span>;
}

/** The latencies as marks on a line scaled to the slowest turn. */
function Wait({ turn: { transcript_ms, first_token_ms, first_audio_ms, model }, slowest }: WaitProps) {
  const share = (ms: number) => `${Math.min(100, (ms / slowest) * 100)}%`;
  return (
    <span className="latency" title={model ?? undefined} aria-hidden="true">
      {first_audio_ms !== null && <span className="series-2" style={{ inlineSize: share(first_audio_ms) }} />}
      {first_token_ms !== null && <span className="series-1" style={{ inlineSize: share(first_token_ms) }} />}
      {transcript_ms !== null && <span className="series-0" style={{ inlineSize: share(transcript_ms) }} />}
    </span>
  );
}

interface WaitProps {
  turn: Turn;
  slowest: number;
}

function Median({ turns }: { turns: Turn[] }) {
  const waits = turns.flatMap(({ first_audio_ms }) => first_audio_ms ?? []).sort((a, b) => a - b);
  const median = waits[Math.floor((waits.length - 1) / 2)];
  return median === undefined ? null : <span className="muted number">median {median} ms to the first sound</span>;
}

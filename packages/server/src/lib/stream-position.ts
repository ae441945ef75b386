/** The transactions that a reader has seen (a PostgreSQL snapshot): all below `next` except those in progress. */
export interface Snapshot {
  next: number;
  inProgress: number[];
}

/** The place of an entry among those between two snapshots. */
export interface Place {
  grp: string;
  seq: number;
  id: string;
}

/** A reader's progress: everything in `seen`, and of the transactions up to `until`, the entries up to `after`. */
export interface Position {
  seen: Snapshot;
  rest?: { until: Snapshot; after: Place } | undefined;
}

const SNAPSHOT = '\\d{1,15}(?::\\d{1,15}(?:,\\d{1,15})*)?';
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** The text form of a position, opaque to clients. */
export const POSITION_PATTERN = `^${SNAPSHOT}(?:~${SNAPSHOT}~${UUID}~\\d{1,15}~${UUID})?$`;

/** Parses the output of `positionText`; the text must match `POSITION_PATTERN`. */
export function parsePosition(text: string): Position {
  const [seen = '', until, grp, seq, id] = text.split('~');
  if (until === undefined || grp === undefined || id === undefined) return { seen: parse(seen) };
  return { seen: parse(seen), rest: { until: parse(until), after: { grp, seq: Number(seq), id } } };
}

export function positionText({ seen, rest }: Position): string {
  if (!rest) return textOf(seen);
  const { grp, seq, id } = rest.after;
  return [textOf(seen), textOf(rest.until), grp, seq, id].join('~');
}

/** Parses PostgreSQL's text of a snapshot, `oldest:next:in,progress`. */
export function readSnapshot(text: string): Snapshot {
  const [, next = '', inProgress = ''] = text.split(':');
  return parse(inProgress ? `${next}:${inProgress}` : next);
}

/**
 * Whether `one` is at least as new as `other`: with equal ends, the newer snapshot has fewer transactions in
 * progress.
 */
export function isAtLeastAsNew(one: Snapshot, other: Snapshot): boolean {
  return one.next > other.next || (one.next === other.next && one.inProgress.length <= other.inProgress.length);
}

function parse(text: string): Snapshot {
  const [next, inProgress] = text.split(':');
  return { next: Number(next), inProgress: inProgress ? inProgress.split(',').map(Number) : [] };
}

function textOf({ next, inProgress }: Snapshot): string {
  return inProgress.length > 0 ? `${next}:${inProgress.join(',')}` : String(next);
}

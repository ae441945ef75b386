import type { AuditEvent } from '../../lib/audit.ts';
import type { Clock } from '../../lib/clock.ts';

const WINDOW_MS = 60_000;
/** Events per statement, which has at most 65,535 parameters. */
const BATCH = 500;

interface Group {
  event: AuditEvent;
  since: Date;
  /** Not written yet. */
  pending: number;
  isWritten: boolean;
}

/** Equal events of a minute, and when the first of them was. */
export interface Counted extends AuditEvent {
  at: Date;
  count: number;
}

interface Options {
  clock: Clock;
  /** Groups of a minute; further events are counted together, without saying whose they are. */
  maxGroups: number;
  write: (events: Counted[]) => Promise<void>;
}

/**
 * Counts equal events, so that a flood of them becomes two entries a minute: the first at once, the others after it.
 */
export function createTally({ clock, maxGroups, write }: Options) {
  const groups = new Map<string, Group>();
  let flushing: Promise<void> = Promise.resolve();

  function count(key: string, event: AuditEvent): void {
    const isNew = !groups.has(key);
    const name = isNew && groups.size >= maxGroups ? '' : key;
    const group = groups.get(name);
    if (group) group.pending += 1;
    else
      groups.set(name, {
        event: name === '' ? othersOf(event) : event,
        since: clock.now(),
        pending: 1,
        isWritten: false,
      });
  }

  /** Writes what has not been written and is new or a minute old, or `all` of it, after what is being written. */
  function flush(all = false): Promise<void> {
    flushing = flushing.catch(() => {}).then(() => writeDue(all));
    return flushing;
  }

  async function writeDue(all: boolean): Promise<void> {
    const now = clock.now().getTime();
    const isOver = ({ since }: Group) => all || Math.abs(now - since.getTime()) >= WINDOW_MS;
    const due = [...groups].filter(([, group]) => group.pending > 0 && (!group.isWritten || isOver(group)));
    for (let start = 0; start < due.length; start += BATCH) await writeBatch(due.slice(start, start + BATCH));
    for (const [key, group] of groups) if (group.pending === 0 && isOver(group)) groups.delete(key);
  }

  async function writeBatch(batch: [string, Group][]): Promise<void> {
    // Leaves out those that were forgotten while others were written.
    const kept = batch.filter(([key, group]) => groups.get(key) === group);
    const counted = kept.map(([, group]) => ({ group, count: group.pending }));
    await write(counted.map(({ group: { event, since }, count }) => ({ ...event, at: since, count })));
    // Subtracts, because more may have been counted meanwhile; only now, so that nothing is lost if writing fails.
    for (const { group, count } of counted) Object.assign(group, { pending: group.pending - count, isWritten: true });
  }

  /** Drops what was counted of a user, and not written. */
  function forget(user_id: string): void {
    for (const [key, { event }] of groups)
      if (event.user_id === user_id || event.actor_user_id === user_id) groups.delete(key);
  }

  return { count, flush, forget };
}

function othersOf({ action, outcome }: AuditEvent): AuditEvent {
  const nobody = { actor: 'various', user_id: null, ip: null };
  return { ...nobody, action, outcome, target: 'various', detail: 'More callers than are told apart in a minute.' };
}

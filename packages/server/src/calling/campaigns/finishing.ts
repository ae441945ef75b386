import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import type { Abandonment, judge } from './abandonment.ts';
import { nextCosts } from './attempts-store.ts';
import { type Blocked, firstSlot } from './pacing.ts';
import type { Placed } from './placing.ts';
import { nextWaiting } from './recipients-store.ts';
import { viewsOf } from './settings.ts';
import { type CampaignRow, type Turn, updateCampaign } from './store.ts';

/** The pause while calls are open, and while a campaign is blocked until somebody helps. */
const PAUSE_MS = 500;
export const BLOCKED_MS = 5_000;
/** Blocks that come and go in a campaign that goes well. */
const ROUTINE: readonly string[] = ['capacity', 'window'];

/** A campaign at the end of its turn. */
interface Done {
  now: Date;
  /** Calls that have not ended. */
  open: number;
  /** Whether more of those who wait are to end. */
  isMore: boolean;
  placed: Placed;
  abandonment: ReturnType<typeof judge> | null;
  /** Whether any recipient is in another state. */
  hasChanged: boolean;
}

type Waiting = Awaited<ReturnType<typeof nextWaiting>>;
type Block = { blocked: Blocked; until: Date | null } | null;

/** Says when the next turn is, ends a campaign that is done, and reports either. */
export async function finish(trx: Db, campaign: Turn, done: Done, callbacks: Callbacks): Promise<void> {
  const { now, open, placed } = done;
  const waiting = await nextWaiting(trx, campaign.id);
  const isFilling = campaign.filling_until !== null && campaign.filling_until > now;
  const isComplete = !waiting && open === 0 && !isFilling && mayComplete(campaign, now);
  const block = isComplete || campaign.state !== 'running' ? null : blockOf(placed, waiting, now, open);
  const costs = await nextCosts(trx, campaign.id);
  const shown = {
    state: isComplete ? ('completed' as const) : campaign.state,
    blocked: block?.blocked ?? null,
    blocked_until: block?.until ?? null,
    abandonment: done.abandonment && kept(done.abandonment),
  };
  const change = {
    ...shown,
    turn_at: nextTurnOf(campaign, done, { waiting, isFilling, isComplete, costs, block }),
    ...(placed.next_slot_at && { next_slot_at: placed.next_slot_at }),
    ...(isComplete && { ended_at: now }),
  };
  const isShown = done.hasChanged || looksOf(shown, now) !== looksOf(campaign, now);
  const after = await updateCampaign(trx, campaign.id, change, isShown);
  await report(trx, campaign, after, callbacks);
}

type Shown = Pick<CampaignRow, 'state' | 'blocked' | 'blocked_until' | 'abandonment'>;

/** A turn each half second, of which most change nothing, or only when it tries again: streams tell of the others. */
function looksOf({ state, blocked, blocked_until, abandonment }: Shown, now: Date): string {
  const isLong = blocked_until !== null && blocked_until.getTime() > now.getTime() + 2 * BLOCKED_MS;
  return JSON.stringify([state, blocked, isLong && blocked_until, abandonment]);
}

/** A paused one is complete once it has expired; one that never had recipients waits for them. */
function mayComplete({ state, expires_at, has_recipients }: Turn, now: Date): boolean {
  if (expires_at !== null && expires_at <= now) return state === 'running' || state === 'paused';
  return state === 'running' && has_recipients;
}

interface Found {
  waiting: Waiting;
  isFilling: boolean;
  isComplete: boolean;
  costs: Date | null;
  block: Block;
}

/** The earliest reason for another turn; null if there is none. */
function nextTurnOf(
  campaign: Turn,
  { now, open, isMore, placed }: Done,
  { waiting, isFilling, isComplete, costs, block }: Found,
): Date | null {
  const { state, expires_at, filling_until } = campaign;
  const isRunning = state === 'running' && !isComplete;
  const pause = later(now, PAUSE_MS);
  const times = [
    isMore ? now : null,
    open > 0 || (isRunning && isFilling) ? pause : null,
    // Ends those whom an import has added to a canceled campaign, also if its process dies.
    isFilling ? filling_until : null,
    costs,
    isRunning ? nextCall(campaign, placed, waiting, block, now) : null,
    // Expired campaigns get their remaining turns for one of the reasons above.
    (isRunning || (state === 'paused' && !isComplete)) && expires_at !== null && expires_at > now ? expires_at : null,
  ];
  const due = times.flatMap((time) => time?.getTime() ?? []);
  return due.length > 0 ? new Date(Math.min(...due)) : null;
}

/** When a running campaign may place calls again; null if nobody waits. */
function nextCall(
  campaign: Turn,
  { calls, room, block, next_slot_at, isNextAtOnce }: Placed,
  waiting: Waiting,
  blocked: Block,
  now: Date,
): Date | null {
  if (!waiting?.next_at) return null;
  // One that could place none comes before one that has, so that they take turns where there is room for one.
  const soon = later(now, PAUSE_MS / 2);
  if (block) return calls.length > 0 ? later(now, PAUSE_MS) : new Date(Math.max(soon.getTime(), block.until.getTime()));
  // The workers are those of all users: looked at less often.
  if (room.needsWorker) return later(now, 2 * PAUSE_MS);
  // Until the day is over; looked at before, because limits may change.
  if (room.blocked === 'capacity') return room.until === null ? soon : later(now, BLOCKED_MS);
  if (blocked && blocked.blocked !== 'window') return later(now, BLOCKED_MS);
  if (waiting.next_at > now) return waiting.next_at;
  // Somebody is due: at once if there was room, unless the pace says later.
  const slot = firstSlot(now, next_slot_at ?? campaign.next_slot_at);
  if (isNextAtOnce) return new Date(Math.max(now.getTime(), slot));
  const isFull = room.calls === 0 && slot <= now.getTime();
  return new Date(Math.max((isFull ? later(now, PAUSE_MS) : soon).getTime(), slot));
}

function blockOf({ calls, room, block }: Placed, waiting: Waiting, now: Date, open: number): Block {
  if (block) return block.blocked && { blocked: block.blocked, until: block.until };
  if (room.blocked) return { blocked: room.blocked, until: room.until };
  const isLater = waiting?.state === 'deferred' && waiting.next_at !== null && waiting.next_at > now;
  return calls.length === 0 && open === 0 && isLater ? { blocked: 'window', until: waiting.next_at } : null;
}

async function report(trx: Db, before: Turn, after: CampaignRow, callbacks: Callbacks): Promise<void> {
  const isBlocked = after.blocked !== null && after.blocked !== before.blocked && !ROUTINE.includes(after.blocked);
  const isComplete = after.state === 'completed' && before.state !== 'completed';
  if (!isComplete && !isBlocked) return;
  const [shown] = await viewsOf(trx, [after]);
  const type = isComplete ? 'campaign.completed' : 'campaign.blocked';
  await callbacks.enqueueForUser(trx, type, after, shown as object);
}

const later = (now: Date, ms: number) => new Date(now.getTime() + ms);

const kept = ({ until: _, ...abandonment }: Abandonment & { until: Date | null }): string =>
  JSON.stringify(abandonment);

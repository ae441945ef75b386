import type { Db } from '../../db/tables.ts';
import type { Callbacks } from '../../delivery/callbacks/callbacks.ts';
import { DAY_MS } from '../../lib/clock.ts';
import { isAbandoned, isTaken } from './abandonment.ts';
import { type OpenAttempt, settleAttempts } from './attempts-store.ts';
import { ended } from './events.ts';
import { type Change, changeRecipients } from './recipients-store.ts';
import { settingsOf } from './settings.ts';
import { AFTER_S, type DayCount } from './state-schema.ts';
import { afterCall, type Ending, isOpen, isUndecided, outcomeOf } from './states.ts';
import type { Turn } from './store.ts';

/** Longest time that a free worker takes to join a call, which is placed before the phone rings. */
const JOIN_MS = 10_000;

interface Open {
  attempts: OpenAttempt[];
  ending: Ending;
  now: Date;
  callbacks: Callbacks;
}

/**
 * Settles attempts whose calls have ended, and notes which ones were answered. Returns the others, how many calls wait
 * for a worker, the counts of the days of settled ones within those of the rule, and whether any recipient is in
 * another state.
 */
export async function settle(
  trx: Db,
  campaign: Turn,
  { attempts, ending, now, callbacks }: Open,
): Promise<{ open: OpenAttempt[]; unattended: number; taken: DayCount[]; hasChanged: boolean }> {
  const { days = 0, after_s = AFTER_S } = campaign.abandon_rule ?? {};
  const over = attempts.filter((one) => hasEnded(one) && !isUndecided(outcomeIn(one), one, settingsOf(campaign), now));
  const settled = over.map((attempt) => {
    const ended_at = endOf(attempt, now);
    const { recipient_id, attempt: number } = attempt;
    const outcome = outcomeIn(attempt);
    // Where no agent ever comes, the service hangs up by itself, maybe before this time is over.
    const is_abandoned = isTaken(outcome) ? outcome === 'abandoned' || isAbandoned(attempt, after_s) : null;
    return { recipient_id, attempt: number, outcome, ended_at, cost_due_at: ended_at, is_abandoned };
  });
  const counts = await settleAttempts(trx, campaign.id, settled);
  const changes = [
    ...over.map((attempt) => changeAfter(attempt, campaign, ending, now)),
    ...attempts
      .filter((attempt) => !hasEnded(attempt) && attempt.started_at && attempt.recipient.state === 'dialling')
      .map(connected),
  ];
  await changeRecipients(trx, changes);
  await ended(
    trx,
    callbacks,
    campaign,
    over.map(({ recipient_id: id, recipient }) => ({ id, ...recipient })),
    changes,
  );
  const since = new Date(now.getTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  return {
    open: attempts.filter((one) => !over.includes(one)),
    unattended: attempts.filter((one) => isUnattended(one, now)).length,
    hasChanged: changes.length > 0,
    taken: counts.filter(({ day }) => day >= since),
  };
}

/** Whether no worker has joined a call that is older than a worker takes. */
function isUnattended(attempt: OpenAttempt, now: Date): boolean {
  return !hasEnded(attempt) && !attempt.agent_joined_at && now.getTime() > attempt.placed_at.getTime() + JOIN_MS;
}

/** The outcome of an attempt; the session of one that retention has deleted says nothing any more. */
const outcomeIn = (attempt: OpenAttempt) => outcomeOf(attempt.status === null ? null : attempt);

const hasEnded = ({ status }: OpenAttempt) => status === null || status === 'COMPLETED' || status === 'FAILED';

/** The end of an attempt: not later than now, although a worker with a fast clock may have reported it so. */
const endOf = ({ ended_at }: OpenAttempt, now: Date): Date => (ended_at !== null && ended_at < now ? ended_at : now);

function changeAfter(attempt: OpenAttempt, campaign: Turn, ending: Ending, now: Date): Change {
  const { recipient_id: id, recipient, disposition } = attempt;
  const { attempts } = recipient;
  const outcome = outcomeIn(attempt);
  const at = { attempts, ended_at: endOf(attempt, now), disposition };
  const step = afterCall(outcome, at, settingsOf(campaign), ending, Math.random());
  return { id, ...step, attempts, decision_id: null, finished_at: isOpen(step.state) ? null : now };
}

function connected({ recipient_id: id, recipient: { attempts } }: OpenAttempt): Change {
  return { id, state: 'connected', reason: null, next_at: null, attempts, decision_id: null, finished_at: null };
}

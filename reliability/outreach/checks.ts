// Compares what the carrier has recorded with what is stored, and both with the rules.
import { query } from '@switchboard/testkit/postgres.ts';
import type { Receiver } from '@switchboard/testkit/receiver.ts';
import { type Dial, dialledTwice } from './carrier-record.ts';
import { ATTEMPTS, type Run } from './kills.ts';
import { GAP_S, type Group, type Person } from './people.ts';

/** The hours of an instant are compared across processes, whose clocks follow the database's to some milliseconds. */
const TOLERANCE_MS = 250;
const OPEN = ['waiting', 'deferred', 'dialling', 'connected'];
/** Names of what must be none, with how many there are. */
type Wrong = Record<string, number>;

export interface Checked {
  wrong: Wrong;
  figures: [what: string, count: number | string][];
}

interface Attempt {
  phone_number: string;
  outcome: string | null;
  room_name: string | null;
  started_at: Date;
  ended_at: Date | null;
}

interface Recipient {
  phone_number: string;
  state: string;
  attempts: number;
}

export async function check(database: string, dials: Dial[], run: Run, receiver: Receiver): Promise<Checked> {
  const { id } = run;
  const attempts = await query<Attempt>(
    database,
    `select recipient.phone_number, outcome, room_name, attempt.started_at, attempt.ended_at from campaign_attempts as attempt
     join campaign_recipients as recipient on recipient.id = recipient_id
     left join sessions on sessions.id = call_id where attempt.campaign_id = '${id}'`,
  );
  const recipients = await query<Recipient>(
    database,
    `select phone_number, state, attempts from campaign_recipients where campaign_id = '${id}'`,
  );
  const states = Object.groupBy(recipients, ({ state }) => state);
  const count = (state: string) => states[state]?.length ?? 0;
  const interrupted = attempts.filter(({ outcome }) => outcome === 'interrupted').length;
  return {
    wrong: {
      ...wrongDials(dials, attempts),
      ...wrongPeople(dials, run),
      ...wrongSilence(dials, attempts, recipients, run),
      ...(await wrongDecisions(database)),
      ...(await wrongCounts(database, id)),
      ...wrongEvents(run, receiver),
      'recipients missing, or more than were sent': Math.abs(recipients.length - run.people.length),
      'recipients left in between': recipients.filter(({ state }) => OPEN.includes(state)).length,
      'recipients with other attempts than they count': await countOf(
        database,
        `select count(*)::int as count from campaign_recipients as recipient where campaign_id = '${id}' and attempts <>
         (select count(*) from campaign_attempts where recipient_id = recipient.id)`,
      ),
      'calls placed during a pause': run.placedInPauses,
      'phones dialled during a pause by attempts that were not placed before': inPauses(dials, run),
    },
    figures: [
      ['recipients', recipients.length],
      ['attempts', attempts.length],
      ['phones that the carrier was asked to dial', dials.length],
      ['attempts that a kill has interrupted, each before or after its phone was dialled', interrupted],
      ['reached', count('reached')],
      ['given up after their attempts', count('exhausted')],
      ['not called, because they were suppressed', count('suppressed')],
      ['not called, because their hours did not come until the campaign expired', count('expired')],
      ['pauses', run.pauses.length],
    ],
  };
}

/** Each attempt is dialled once; one that was interrupted perhaps not, because its process died before. */
function wrongDials(dials: Dial[], attempts: Attempt[]): Wrong {
  const dialled = new Map(dials.map((one) => [one.attempt, one.phone_number]));
  const rooms = new Set(attempts.map(({ room_name }) => room_name));
  return {
    'attempts dialled twice': dialledTwice(dials),
    'phones dialled without an attempt': dials.filter(({ attempt }) => !rooms.has(attempt)).length,
    'attempts with a result whose phone was never dialled': attempts.filter(
      ({ outcome, room_name }) => outcome !== 'interrupted' && !dialled.has(room_name ?? ''),
    ).length,
    'attempts that dialled another number': attempts.filter(
      ({ room_name, phone_number }) => (dialled.get(room_name ?? '') ?? phone_number) !== phone_number,
    ).length,
  };
}

function wrongPeople(dials: Dial[], run: Run): Wrong {
  const groups = new Map(run.people.map(({ phone_number, group }) => [phone_number, group]));
  const of = (group: Group) => dials.filter(({ phone_number }) => groups.get(phone_number) === group);
  return {
    'dialled before their hours': of('opens').filter(({ atMs }) => atMs < run.opensAtMs - TOLERANCE_MS).length,
    'dialled although their hours did not come': of('closed').length,
    'dialled although they were suppressed before the start': of('suppressed').length,
    // The phone that was asked for just before may still be noted: a second is far more than that takes.
    'dialled later than a second after the answer to their opt-out': of('objecting').filter(
      ({ atMs }) => atMs > run.objectedAtMs + 1_000,
    ).length,
  };
}

/**
 * People who were to be called have had their phone dialled, or have used up their attempts, all interrupted before.
 * Neither those whose hours do not come are to be called, nor those who asked not to be before their phone was dialled.
 */
function wrongSilence(dials: Dial[], attempts: Attempt[], recipients: Recipient[], run: Run): Wrong {
  const dialled = new Set(dials.map(({ phone_number }) => phone_number));
  const attemptsOf = Map.groupBy(attempts, ({ phone_number }) => phone_number);
  const states = new Map(recipients.map(({ phone_number, state }) => [phone_number, state]));
  const groups = new Map(run.people.map(({ phone_number, group }) => [phone_number, group]));
  const isCalled = ({ phone_number, group }: Person) =>
    group === 'objecting' ? states.get(phone_number) !== 'suppressed' : group !== 'closed' && group !== 'suppressed';
  const isUsedUp = ({ phone_number }: Person) => {
    const own = attemptsOf.get(phone_number) ?? [];
    return own.length === ATTEMPTS && own.every(({ outcome }) => outcome === 'interrupted');
  };
  return {
    'people who were to be called, and were never dialled': run.people.filter(
      (one) => isCalled(one) && !dialled.has(one.phone_number) && !isUsedUp(one),
    ).length,
    'attempts interrupted without a kill or an opt-out': attempts.filter(
      (one) => one.outcome === 'interrupted' && groups.get(one.phone_number) !== 'objecting' && !hasKill(one, run),
    ).length,
  };
}

const hasKill = ({ started_at, ended_at }: Attempt, { killedAt }: Run): boolean =>
  killedAt.some((at) => at > started_at.getTime() - TOLERANCE_MS && at < (ended_at?.getTime() ?? 0) + TOLERANCE_MS);

function inPauses(dials: Dial[], { pauses }: Run): number {
  const during = pauses.map(({ fromMs, toMs, placed }) =>
    dials.filter(({ atMs, attempt }) => atMs > fromMs && atMs < toMs && !placed.has(attempt)),
  );
  return during.flat().length;
}

/** By the order in which PostgreSQL has committed, which is the one that a reader sees. */
async function wrongDecisions(database: string): Promise<Wrong> {
  const allowed = `select * from dial_decisions where outcome = 'allow' and kind = 'call'`;
  return {
    'calls committed after the suppression of their number': await countOf(
      database,
      `select count(*)::int as count from (select xmin, * from dial_decisions where outcome = 'allow') as decision
       join (select xmin, * from suppressions) as one on one.phone_number = decision.phone_number
       where pg_xact_commit_timestamp(decision.xmin) > pg_xact_commit_timestamp(one.xmin)`,
    ),
    'calls closer to one another than the policy allows': await countOf(
      database,
      `select count(*)::int as count from (
         select evaluated_at - lag(evaluated_at) over (partition by phone_number order by evaluated_at) as gap from (${allowed}) as allowed
       ) as gaps where gap < interval '${GAP_S} s'`,
    ),
  };
}

async function wrongCounts(database: string, id: string): Promise<Wrong> {
  return {
    'counters that differ from the rows': await countOf(
      database,
      `with found as (
         select 'attempts' as kind, coalesce(outcome, 'open') as name, count(*) as count from campaign_attempts where campaign_id = '${id}' group by 2
         union all select 'recipients', state, count(*) from campaign_recipients where campaign_id = '${id}' group by 2
       ) select count(*)::int as count from (select * from campaign_counts where campaign_id = '${id}' and count <> 0) as counted
       full join found using (kind, name) where counted.count is distinct from found.count`,
    ),
  };
}

/** Deliveries may be repeated after a kill, under the same id; events may not. */
function wrongEvents({ people }: Run, receiver: Receiver): Wrong {
  const types = Array.from(
    receiver.bodies.values(),
    ([body = '{}']) => JSON.parse(body) as { type: string; data: { external_id?: string } },
  );
  const finished = types.filter(({ type }) => type === 'recipient.finished').map(({ data }) => data.external_id);
  return {
    'campaign.completed more or less often than once': Math.abs(
      types.filter(({ type }) => type === 'campaign.completed').length - 1,
    ),
    'recipient.finished more than once for somebody': finished.length - new Set(finished).size,
    'recipient.finished missing': Math.abs(people.length - new Set(finished).size),
  };
}

async function countOf(database: string, sql: string): Promise<number> {
  return (await query<{ count: number }>(database, sql))[0]?.count ?? Number.NaN;
}

import { isDeepStrictEqual } from 'node:util';
import { type Json, read, readPages, sendPatiently } from '@switchboard/testkit/client.ts';
import { scaled } from '@switchboard/testkit/decimals.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Attempt, Holding, Kind, Ledger, Stint } from './ledger.ts';

const REPEAT_MS = 10_000;

/** Compares what clients received with what is stored; records anything lost, duplicated or wrong in the ledger. */
export async function compare(ledger: Ledger, url: string, stints: Stint[]): Promise<void> {
  for (const stint of stints) {
    await repeatRequests(ledger, url, stint);
    await compareStint(ledger, url, stint);
  }
  for (const user of usersOf(stints)) await compareAgents(ledger, url, user, stints);
  await compareNumbers(ledger, url);
}

/** Every report is the exact sum of the stored events: all acknowledged ones, and some of the unanswered. */
export async function compareReports(ledger: Ledger, url: string): Promise<void> {
  for (const user of usersOf(ledger.stints)) await compareReportsOf(ledger, url, user);
}

function usersOf(stints: Stint[]): string[] {
  return [...new Set(stints.map(({ user }) => user))];
}

/**
 * Repeats unanswered requests and the last answered one under their keys: the former take effect, the latter returns
 * the first response.
 */
async function repeatRequests(ledger: Ledger, url: string, stint: Stint): Promise<void> {
  const keyed = stint.attempts.filter(({ request }) => request.key !== undefined);
  const unanswered = keyed.filter(({ answer }) => answer === null);
  ledger.repeated += unanswered.length;
  for (const attempt of [...unanswered, ...keyed.filter(({ answer }) => answer !== null).slice(-1)]) {
    for (let times = 0; times < 2; times++) {
      // The database may take a moment to notice that the process that held the key is gone.
      const reply = await eventually(
        () => sendPatiently(url, attempt.request),
        ({ status }) => status !== 409,
        REPEAT_MS,
      );
      attempt.answer ??= reply.status === 201 ? reply.body : null;
      if (!isDeepStrictEqual([reply.status, reply.body], [201, attempt.answer]))
        ledger.faults.push(`repeated ${attempt.request.path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    }
  }
}

async function compareStint(ledger: Ledger, url: string, stint: Stint): Promise<void> {
  const { session_id, agent_id } = stint;
  const { total_cost } = await read(url, `/api/sessions/${session_id}/costs`);
  const events = await readPages(url, `/api/sessions/${session_id}/costs`, undefined, 'events');
  stint.events = events;
  if (scaled(total_cost) !== total(events))
    ledger.faults.push(`the costs of ${session_id} are not the sum of its events`);
  compareRows(ledger, stint, 'event', events, (row) => row.quantity);
  const transcripts = await readPages(url, `/api/sessions/${session_id}/transcripts`);
  compareRows(ledger, stint, 'transcript', transcripts, (row) => row.content);
  const calls = await readPages(url, `/api/calls/?agent_id=${agent_id}`);
  compareRows(ledger, stint, 'call', calls, (row) => row.outbound_phone_number);
  for (const [id, call_status] of stint.ended) {
    const now = calls.find((call) => call.call_id === id)?.call_status;
    if (now !== call_status)
      ledger.lost.push(`the end of call ${id}: ${call_status} was acknowledged, ${now} is stored`);
  }
}

/** Each stored row was requested and is stored once; each acknowledged one is stored as acknowledged. */
function compareRows(ledger: Ledger, stint: Stint, kind: Kind, rows: Json[], tagOf: (row: Json) => string): void {
  const byTag = Map.groupBy(rows, tagOf);
  const attempts = new Map(stint.attempts.filter((one) => one.kind === kind).map((one) => [one.tag, one]));
  for (const [tag, found] of byTag) {
    if (found.length > 1) ledger.doubled.push(`${kind} ${tag} of ${stint.session_id}, ${found.length} times`);
    if (!attempts.has(tag)) ledger.faults.push(`nobody asked for ${kind} ${tag} of ${stint.session_id}`);
  }
  for (const [tag, { answer }] of attempts) {
    if (answer && !byTag.get(tag)?.some((row) => matchesAnswer(kind, row, answer)))
      ledger.lost.push(`${kind} ${tag} of ${stint.session_id}: ${JSON.stringify(byTag.get(tag))}`);
  }
}

// Events and transcripts never change; calls and agents do.
function matchesAnswer(kind: Kind, row: Json, answer: NonNullable<Attempt['answer']>): boolean {
  if (kind === 'call') return row.call_id === answer.call_id && row.room_name === answer.room_name;
  if (kind === 'agent') return row.id === answer.id && row.name === answer.name && row.created_at === answer.created_at;
  return isDeepStrictEqual(row, answer);
}

async function compareAgents(ledger: Ledger, url: string, user: string, stints: Stint[]): Promise<void> {
  const agents = (await read(url, '/api/agents/', user)) as Json[];
  for (const stint of stints.filter((one) => one.user === user)) {
    const tags = new Set(stint.attempts.map(({ tag }) => tag));
    if (!agents.some(({ id }) => id === stint.agent_id)) ledger.lost.push(`agent ${stint.agent_id}`);
    compareRows(
      ledger,
      stint,
      'agent',
      agents.filter(({ name }) => tags.has(name)),
      (row) => row.name,
    );
  }
}

async function compareReportsOf(ledger: Ledger, url: string, user: string): Promise<void> {
  const stints = ledger.stints.filter((stint) => stint.user === user);
  const events = stints.flatMap((stint) => stint.events);
  const sums = (of: Json[], name: string) =>
    Object.fromEntries(
      Map.groupBy(of, (one) => one[name] as string)
        .entries()
        .map(([key, group]) => [key, total(group)]),
    );
  const scaledValues = (costs: Json) =>
    Object.fromEntries(Object.entries(costs).map(([key, cost]) => [key, scaled(cost)]));
  const summary = await read(url, '/api/costs/summary', user);
  const byAgent = (await read(url, '/api/costs/by-agent', user)) as Json[];
  const days = (await read(url, '/api/costs/timeline', user)) as Json[];
  // Phone lines of calls, which end during this read: without a price they cost nothing, and `findNever` counts them.
  const { sandbox: line = '0', ...byProvider } = summary.by_provider;
  const days_expected = sums(
    events.map((event) => ({ ...event, date: event.created_at.slice(0, 10) })),
    'date',
  );
  const same = [
    ['summary', scaled(summary.total_cost), total(events)],
    ['summary of the line', scaled(line), 0n],
    ['summary by provider', scaledValues(byProvider), sums(events, 'provider')],
    [
      'by agent',
      Object.fromEntries(byAgent.map((row) => [row.agent_id, scaled(row.total_cost)])),
      sums(events, 'agent_id'),
    ],
    ['events by agent', byAgent.reduce((sum, row) => sum + row.event_count, 0) >= events.length, true],
    ['timeline', Object.fromEntries(days.map((day) => [day.date, scaled(day.total_cost)])), days_expected],
  ];
  for (const [report, reported, expected] of same)
    if (!isDeepStrictEqual(reported, expected))
      ledger.faults.push(`the report ${report} of ${user} is not the sum of the events`);
}

function total(events: Json[]): bigint {
  return events.reduce((sum, event) => sum + scaled(event.total_cost), 0n);
}

async function compareNumbers(ledger: Ledger, url: string): Promise<void> {
  const numbers = await readPages(url, '/api/telephony/numbers');
  for (const holding of ledger.holdings) {
    const found = numbers.find(({ phone_number }) => phone_number === holding.phone_number)?.agent_id;
    await compareNumber(ledger, url, holding, found ?? null);
  }
}

async function compareNumber(ledger: Ledger, url: string, holding: Holding, found: string | null): Promise<void> {
  const { phone_number, holder, pending } = holding;
  const possible = pending === null ? [holder] : [pending, null];
  if (!possible.includes(found))
    ledger.lost.push(`${phone_number}: acknowledged ${holder}, requested ${pending}, found ${found}`);
  if (found && (await read(url, `/api/agents/${found}`)).phone_number !== phone_number)
    ledger.faults.push(`${phone_number} is assigned to ${found}, which does not know of it`);
  const mayBeIncomplete = found === null && (holding.mayBeIncomplete || pending !== null);
  Object.assign(holding, { holder: found, pending: null, mayBeIncomplete });
}

// The people of a campaign through the bridge, and what their phones have seen of it.
import assert from 'node:assert/strict';
import type { Json } from '@switchboard/testkit/client.ts';
import type { Phone } from './phones.ts';
import { numberOf } from './switchboard.ts';
import { type Dialogue, requestedAt } from './trace.ts';

/** Phones in turn. One that is busy, or that nobody picks up, is called once more. */
const MANNERS: Phone[] = ['hangsUpAfterASecond', 486, 'hangsUpAfterASecond', 'ringsOut', 603];
/** Zones around the world: at any time it is day in some of them, and night in others. */
const ZONES = [
  'Pacific/Honolulu',
  'America/Los_Angeles',
  'America/New_York',
  'America/Sao_Paulo',
  'Europe/London',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Asia/Tokyo',
  'Australia/Sydney',
  'Pacific/Auckland',
];
const [OPENS, CLOSES] = [8, 20];
/** The hours stay open, or closed, for as long as the campaign takes. */
const AHEAD_H = 2;
/** Time that a call which was placed before an opt-out may take to the bridge, on a busy machine. */
const ON_ITS_WAY_MS = 10_000;
/** Difference between the clock of the service, which follows the database's, and that of the phones. */
const TOLERANCE_MS = 250;

/** Groups of people, of whom each proves another rule. */
type Group = 'called' | 'suppressed' | 'asleep' | 'without consent' | 'objecting';

export interface Person {
  phone_number: string;
  time_zone: string;
  group: Group;
}

/** Calls between 8 and 20 hours where the person is, and only with a consent. */
export const POLICY = {
  windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '08:00', to: '20:00' }],
  requires_consent: [{ purpose: 'marketing' }],
};
const CONSENT = {
  kind: 'express_written',
  text: 'Yes, call me about offers.',
  obtained_at: '2026-01-15T09:30:00.000Z',
  channel: 'web form',
};

/** The hour of a day there, by the runtime's clock rather than the service's rules. */
function hourIn(timeZone: string, at: number): number {
  return Number(new Intl.DateTimeFormat('en-US', { timeZone, hour: '2-digit', hourCycle: 'h23' }).format(at));
}

function isOpen(zone: string, at: number): boolean {
  const hour = hourIn(zone, at);
  return hour >= OPENS && hour < CLOSES;
}

export function peopleOf(count: number): Person[] {
  const soon = Date.now() + AHEAD_H * 3_600_000;
  const awake = ZONES.filter((zone) => isOpen(zone, Date.now()) && isOpen(zone, soon));
  const asleep = ZONES.filter((zone) => !isOpen(zone, Date.now()) && !isOpen(zone, soon));
  assert.ok(awake.length > 0 && asleep.length > 0);
  return Array.from({ length: count }, (_, n) => {
    const group = groupOf(n / count);
    const zones = group === 'asleep' ? asleep : awake;
    const phone_number = numberOf(MANNERS[n % MANNERS.length] ?? 'answers');
    return { phone_number, group, time_zone: zones[n % zones.length] ?? '' };
  });
}

function groupOf(place: number): Group {
  if (place < 0.05) return 'suppressed';
  if (place < 0.15) return 'asleep';
  if (place < 0.25) return 'without consent';
  return place < 0.9 ? 'called' : 'objecting';
}

export const recipientOf = ({ phone_number, time_zone, group }: Person) => ({
  phone_number,
  external_id: phone_number,
  time_zone,
  ...(group !== 'without consent' && { consent: CONSENT }),
});

/** An attempt, with the room of its call, which no other attempt has. */
export interface Attempt {
  phone_number: string;
  room_name: string;
  outcome: string;
  started_at: Date;
}

/** From the answer to `pause` until `resume` is sent, with the rooms of the attempts that were placed before. */
export interface Pause {
  from: number;
  to: number;
  placed: Set<string>;
}

/** The rooms that INVITEs were sent for, by Call-ID, as the bridge tells them. */
export function roomsByCallId(output: string): Map<string, string> {
  const lines = output.matchAll(/"room": "([^"]+)".*"sipCallID": "([^"]+)"/g);
  return new Map(Array.from(lines, ([, room = '', callId = '']) => [callId, room]));
}

/** A campaign that has ended, and what its phones have seen. */
export interface Ended {
  people: Person[];
  rows: Json[];
  attempts: Attempt[];
  dialogues: Dialogue[];
  rooms: Map<string, string>;
  pauses: Pause[];
  /** When they were answered who asked not to be called while it ran. */
  objectedAt: number;
  mostAttempts: number;
  /** As many calls as can be open at the kills. */
  mostInterrupted: number;
}

/** Compares what the service says with the INVITEs that the phones have seen, attempt by attempt. */
export function compare(ended: Ended): Record<string, number> {
  const { people, rows, attempts, dialogues } = ended;
  assertNobodyForgotten(ended);
  assertOnceAnAttempt(ended);
  for (const person of people) assertAllowed(person, ended);
  assertPaused(ended);
  const of = (group: Group) => people.filter((one) => one.group === group).length;
  return {
    people: rows.length,
    attempts: attempts.length,
    'INVITEs that phones saw': dialogues.length,
    interrupted: attempts.filter(({ outcome }) => outcome === 'interrupted').length,
    'outside their hours, without an INVITE': of('asleep'),
    'without consent, and without an INVITE': of('without consent'),
    pauses: ended.pauses.length,
  };
}

const STATES: Record<Group, RegExp> = {
  called: /^(reached|exhausted)$/,
  suppressed: /^suppressed$/,
  asleep: /^expired$/,
  'without consent': /^refused$/,
  objecting: /^(reached|exhausted|suppressed)$/,
};

/**
 * People who were to be called have had at least one INVITE, or only attempts that a kill has interrupted, which are
 * not tried again here, and of which there are no more than calls that were open then.
 */
function assertNobodyForgotten({ people, rows, attempts, dialogues, mostAttempts, mostInterrupted }: Ended): void {
  const numbers = (all: { phone_number: string }[]) => all.map(({ phone_number }) => phone_number).sort();
  assert.deepEqual(numbers(rows as Person[]), numbers(people), 'nobody is forgotten, or there twice');
  const groups = new Map(people.map(({ phone_number, group }) => [phone_number, group]));
  const counted = Map.groupBy(attempts, ({ phone_number }) => phone_number);
  const invited = new Set(dialogues.map(({ number }) => number));
  for (const { phone_number, state, reason, attempts: told } of rows) {
    const group = groups.get(phone_number) ?? assert.fail();
    const own = counted.get(phone_number) ?? [];
    const count = own.length;
    assert.match(state, STATES[group], `${phone_number}, ${group}`);
    if (group === 'without consent') assert.equal(reason, 'consent');
    if (state !== 'suppressed' && (group === 'called' || group === 'objecting')) {
      const isInterrupted = count > 0 && own.every(({ outcome }) => outcome === 'interrupted');
      assert.ok(invited.has(phone_number) || isInterrupted, `${phone_number} was never dialled`);
    }
    assert.ok(count === told.length && count <= mostAttempts, `${phone_number} has ${count} attempts`);
  }
  // An opt-out interrupts, too.
  const interrupted = attempts.filter(
    (one) => one.outcome === 'interrupted' && groups.get(one.phone_number) !== 'objecting',
  );
  assert.ok(interrupted.length <= mostInterrupted, `${interrupted.length} attempts were interrupted`);
}

/** Each INVITE is of an attempt, and each attempt has one; one that a kill has interrupted perhaps none. */
function assertOnceAnAttempt({ dialogues, attempts, rooms }: Ended): void {
  const seen = Map.groupBy(dialogues, ({ callId }) => rooms.get(callId));
  const byRoom = new Map(attempts.map((attempt) => [attempt.room_name, attempt]));
  for (const [room, invites] of seen) {
    const attempt = byRoom.get(room ?? '') ?? assert.fail(`${invites[0]?.number} was dialled without an attempt`);
    assert.deepEqual(
      invites.map(({ number }) => number),
      [attempt.phone_number],
      'one phone, once',
    );
  }
  const undialled = attempts.filter(({ room_name, outcome }) => outcome !== 'interrupted' && !seen.has(room_name));
  assert.deepEqual(undialled, [], 'attempts with an outcome that were not dialled');
}

function assertAllowed({ phone_number, time_zone, group }: Person, ended: Ended): void {
  const invites = ended.dialogues.filter(({ number }) => number === phone_number).map(invitedAt);
  const attempts = ended.attempts.filter((one) => one.phone_number === phone_number);
  if (group === 'suppressed' || group === 'asleep' || group === 'without consent')
    assert.deepEqual([invites, attempts], [[], []], `${phone_number}, ${group}`);
  const early = invites.filter((at) => !isOpen(time_zone, at));
  assert.deepEqual(early, [], `${phone_number}, outside the hours of ${time_zone}`);
  if (group !== 'objecting') return;
  const late = invites.filter((at) => at > ended.objectedAt + ON_ITS_WAY_MS);
  const placed = attempts.filter(({ started_at }) => started_at.getTime() > ended.objectedAt + TOLERANCE_MS);
  assert.deepEqual([late, placed], [[], []], `${phone_number}, after the opt-out`);
}

function assertPaused({ dialogues, rooms, pauses }: Ended): void {
  for (const { from, to, placed } of pauses) {
    const during = dialogues.filter((one) => invitedAt(one) > from && invitedAt(one) < to);
    const wrong = during.filter(({ callId }) => !placed.has(rooms.get(callId) ?? ''));
    const numbers = wrong.map(({ number }) => number);
    assert.deepEqual(numbers, [], 'INVITEs during a pause of attempts that were not placed before');
  }
}

const invitedAt = (dialogue: Dialogue) => requestedAt(dialogue, 'INVITE') ?? assert.fail(dialogue.callId);

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, needsRoom } from '../../src/calling/conductor/decide.ts';
import type { Cause, Transfer } from '../../src/calling/conductor/seen.ts';
import { advance, isFinal, type Signal } from '../../src/conversations/sessions/lifecycle.ts';
import type { Session } from '../../src/conversations/sessions/sessions.ts';
import type { Participant } from '../../src/providers/rooms.ts';
import * as seen from '../support/conductor.ts';

/** A call, its room, and everything that is on its way to the service. */
interface World {
  call: Session;
  transfer: Transfer | undefined;
  room: Participant[];
  /** Events that have not been delivered, and outcomes that the dialing process has not recorded. */
  underway: (Cause | { kind: 'outcome'; of: 'phone' | 'target'; isAnswered: boolean })[];
  /** Whether the process that dials is alive. */
  isAlive: boolean;
  missingSince: Date | null;
  /** Seconds since the creation of the call. */
  now: number;
  /** Times that the phone and the target have been dialled. */
  dialled: { phone: number; target: number };
  /** Whether the agent was sending audio when the departure of a connected inbound caller was handled. */
  wasHeard: boolean;
  /** Whether the phone has been answered. */
  isAnswered: boolean;
}

const ROUND_S = 6;
/** Rounds after which a call that nobody touches has ended, or is a talk: longer than any time limit. */
const ROUNDS = 30;

function apply(world: World, signal: Signal): void {
  const next = advance(world.call, signal);
  assert.ok(!next || !isFinal(world.call), 'an end is final');
  if (next) world.call = { ...world.call, ...next };
  if (isFinal(world.call)) close(world);
}

/** The actions after the commit of an end: the room is closed, and transfers end. */
function close(world: World): void {
  world.room = [];
  world.transfer = undefined;
}

function look(world: World, cause: Cause): boolean {
  const time = { at: seen.at(world.now), limits: seen.LIMITS };
  const isDialed = world.isAlive && world.underway.some(({ kind }) => kind === 'outcome') && !isFinal(world.call);
  const known = { call: world.call, cause, isDialed: isDialed || isRingingHere(world) };
  const present = needsRoom(known, time) ? world.room : null;
  const { signals, actions, isMissed } = decide({ ...known, present, transfer: world.transfer }, time);
  for (const action of actions) {
    if (action.kind === 'hangUp') close(world);
    if (action.kind === 'recordAgent') world.call = { ...world.call, agent_joined_at: action.at };
    if (action.kind === 'connectTransfer' && world.transfer)
      world.transfer = { ...world.transfer, status: 'connected' };
    if (action.kind === 'completeTransfer' || action.kind === 'failTransfer') world.transfer = undefined;
  }
  for (const signal of signals) apply(world, signal);
  return isMissed;
}

const isRingingHere = ({ isAlive, room }: World) =>
  isAlive && room.some(({ identity, phone }) => identity === 'phone' && phone?.state === 'ringing');

function reconcile(world: World): void {
  world.now += ROUND_S;
  // The room of an ended call is closed by the same round.
  if (isFinal(world.call)) {
    close(world);
    return;
  }
  const people = world.room.filter(({ kind }) => kind === 'SIP').length;
  const { missingSince } = world;
  const isListed = world.room.length > 0;
  const round = seen.round({ people: isListed ? people : null, missingSince });
  world.missingSince = look(world, round) ? (missingSince ?? seen.at(world.now)) : null;
}

const has = ({ room }: World, identity: string, state?: string) =>
  room.some((one) => one.identity === identity && (state === undefined || one.phone?.state === state));

function leave(world: World, who: Participant): void {
  world.room = world.room.filter(({ identity }) => identity !== who.identity);
  const gone = who.phone ? seen.phone('hangup', who.identity) : who;
  world.underway.push(seen.left(gone, 'left', world.now, seen.at(world.now)));
}

function join(world: World, who: Participant): void {
  world.room = [...world.room, who];
  world.underway.push(seen.joined(who));
}

function pickUp(world: World, of: 'phone' | 'target'): void {
  if (of === 'phone') world.isAnswered = true;
  const { identity } = of === 'phone' ? seen.phone('active') : seen.target('active');
  world.room = world.room.map((one) => (one.identity === identity ? seen.phone('active', identity) : one));
  if (world.isAlive) world.underway.push({ kind: 'outcome', of, isAnswered: true });
}

/** The dialing process learns the outcome. */
function record(world: World, of: 'phone' | 'target', isAnswered: boolean): void {
  const at = seen.at(world.now);
  if (of === 'phone') {
    const refused = { kind: 'failed', end_reason: 'busy', sip_status_code: 486, at } as const;
    apply(world, isAnswered ? { kind: 'answered', at } : refused);
  } else if (world.transfer?.status === 'pending') {
    world.transfer = isAnswered ? { ...world.transfer, status: 'connected' } : undefined;
    if (!isAnswered) look(world, { kind: 'transfer_failed', transfer_type: 'WARM' });
  }
  // A phone that answers after the end is hung up by the process that dialled it.
  if (isFinal(world.call)) close(world);
}

/** Everything that may happen next, each with its name. */
function moves(world: World): [string, (next: World) => void][] {
  const next: [string, (next: World) => void][] = [];
  for (const who of ['phone', 'transfer-t'] as const) {
    const of = who === 'phone' ? 'phone' : 'target';
    if (has(world, who, 'ringing')) {
      const isInbound = of === 'phone' && world.call.call_direction === 'INBOUND';
      if (!isInbound) next.push([`${of} answers`, (one) => pickUp(one, of)]);
      else if (has(world, 'agent'))
        next.push([
          'the bridge answers',
          (one) => {
            one.isAnswered = true;
            const audio_at = seen.at(one.now);
            one.room = one.room.map((seat) =>
              seat.identity === 'phone' ? seen.phone('active') : { ...seat, audio_at },
            );
            const time = { created_at: null, received_at: seen.at(one.now) };
            one.underway.push({ kind: 'audio_started', identity: 'agent', time });
          },
        ]);
      next.push([
        `${of} refuses`,
        (one) => {
          leave(one, seen.phone('ringing', who));
          if (one.isAlive && !isInbound) one.underway.push({ kind: 'outcome', of, isAnswered: false });
        },
      ]);
    }
    if (has(world, who, 'active')) next.push([`${of} hangs up`, (one) => leave(one, seen.phone('active', who))]);
  }
  if (has(world, 'agent')) next.push(['the agent leaves', (one) => leave(one, seen.agent())]);
  else if (world.call.agent_joined_at === null && world.room.length > 0)
    next.push(['the agent joins', (one) => join(one, seen.agent())]);
  if (world.call.call_status === 'ANSWERED' && !world.transfer && world.isAlive && world.dialled.target === 0)
    next.push([
      'a transfer begins',
      (one) => {
        one.dialled.target++;
        one.transfer = seen.transfer({ updated_at: seen.at(one.now) });
        join(one, seen.phone('ringing', 'transfer-t'));
      },
    ]);
  if (!isFinal(world.call))
    next.push([
      'the API ends the call',
      (one) => apply(one, { kind: 'ended', at: seen.at(one.now), end_reason: 'ended_by_user' }),
    ]);
  if (world.isAlive)
    next.push([
      'the process dies',
      (one) => {
        one.isAlive = false;
        one.underway = one.underway.filter(({ kind }) => kind !== 'outcome');
      },
    ]);
  world.underway.forEach((event, index) => {
    const without = (one: World) => void one.underway.splice(index, 1);
    next.push([
      `${event.kind} arrives`,
      (one) => {
        without(one);
        if (event.kind === 'outcome') return record(one, event.of, event.isAnswered);
        const isCaller = event.kind === 'left' && event.participant.identity === 'phone';
        const isHeard = one.room.some(({ audio_at }) => audio_at !== null);
        if (isCaller && one.call.call_direction === 'INBOUND' && isHeard && !isFinal(one.call)) one.wasHeard = true;
        look(one, event);
      },
    ]);
    if (event.kind !== 'outcome') next.push([`${event.kind} is lost`, without]);
  });
  next.push(['a round', reconcile]);
  return next;
}

/** A phone rings for a limited time: its dialing process hangs up, or the caller does. */
function stopRinging(world: World): void {
  const isInbound = world.call.call_direction === 'INBOUND';
  // Without its process the reconciler has to end the call.
  if (!isInbound && !world.isAlive) return;
  world.room = world.room.filter(({ identity }) => identity !== 'phone');
  const signal = { kind: 'no_answer', at: seen.at(world.now), end_reason: 'no_answer', sip_status_code: null } as const;
  if (!isInbound) apply(world, signal);
}

/** After a while in which nothing happens and every event is lost, only a talk may be left. */
function settles(from: World, way: string[]): void {
  const world = structuredClone(from);
  for (const event of world.underway) if (event.kind === 'outcome') record(world, event.of, event.isAnswered);
  if (has(world, 'phone', 'ringing')) stopRinging(world);
  world.underway = [];
  for (let count = 0; count < ROUNDS; count++) reconcile(world);
  const about = `${way.join(', ')}: ${world.call.call_status}, ${world.room.map(({ identity }) => identity).join(', ')}`;
  assert.ok(world.dialled.phone <= 1 && world.dialled.target <= 1, about);
  if (isFinal(world.call)) assert.deepEqual(world.room, [], `somebody stays connected after ${about}`);
  else {
    assert.equal(world.call.call_status, 'ANSWERED', `never ends: ${about}`);
    assert.ok(has(world, 'phone', 'active') && world.room.length > 1, `goes on without a talk: ${about}`);
  }
  if (world.wasHeard) assert.notEqual(world.call.started_at, null, `not billed: ${about}`);
  if (!world.isAnswered) assert.equal(world.call.started_at, null, `billed: ${about}`);
}

function explore(start: World, depth: number): number {
  const known = new Map<string, number>();
  const visit = (world: World, way: string[], left: number): void => {
    const key = JSON.stringify(world);
    if ((known.get(key) ?? -1) >= left) return;
    known.set(key, left);
    settles(world, way);
    if (left === 0) return;
    for (const [name, move] of moves(world)) {
      const next = structuredClone(world);
      move(next);
      visit(next, [...way, name], left - 1);
    }
  };
  visit(start, [], depth);
  return known.size;
}

const start = (call: Session, isAlive: boolean): World => ({
  call,
  transfer: undefined,
  room: [seen.phone('ringing')],
  underway: [],
  isAlive,
  missingSince: null,
  now: 1,
  dialled: { phone: call.call_direction === 'OUTBOUND' ? 1 : 0, target: 0 },
  wasHeard: false,
  isAnswered: call.call_status === 'ANSWERED',
});

test('in every order of events, losses and kills, a call to a phone ends once and leaves nobody connected', () => {
  assert.ok(explore(start(seen.ringing('OUTBOUND'), true), 7) > 10_000);
});

test('the same of a call that is talking when its transfer begins', () => {
  const world = start(seen.answered('OUTBOUND'), true);
  assert.ok(explore({ ...world, now: 11, room: [seen.phone('active'), seen.agent()] }, 7) > 10_000);
});

test('the same of a call that comes in', () => {
  assert.ok(explore(start(seen.ringing('INBOUND'), true), 8) > 2_000);
});

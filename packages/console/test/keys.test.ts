import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UserEvent } from '@switchboard/client';
import { changedBy, createKeySet, keys } from '../src/data/keys.ts';

/** Which of these keys an event of `me` refreshes while ended calls with these ids are in a list. */
function refreshed(event: object, candidates: Record<string, readonly unknown[]>, ...listed: string[]): string[] {
  const changed = createKeySet();
  for (const key of changedBy('me', event as UserEvent, (id) => listed.includes(id))) changed.add(key);
  return Object.keys(candidates).filter((name) => changed.covers(candidates[name] ?? []));
}

const CALL = {
  call: keys.call('me', 'a'),
  total: keys.callTotal('me', 'a'),
  lines: keys.callCostLines('me', 'a'),
  turns: keys.callTurns('me', 'a'),
  callbacks: keys.callCallbacks('me', 'a'),
  otherCall: keys.callTotal('me', 'b'),
  otherUser: keys.callTotal('you', 'a'),
};

test('a cost refreshes the sum of its call together with the lines, and the reports', () => {
  const event = { event: 'cost', data: { session_id: 'a' } };
  assert.deepEqual(refreshed(event, CALL), ['total', 'lines']);
  const reports = {
    report: keys.costReport('me', { from: 'x' }),
    budget: keys.budget('me'),
    agents: keys.agents('me'),
  };
  assert.deepEqual(refreshed(event, reports), ['report', 'budget']);
});

test('a cost refreshes the lists that have its ended call, and one of another session does not', () => {
  const event = { event: 'cost', data: { session_id: 'a' } };
  const lists = { list: keys.list('me', { q: 'x' }), otherUser: keys.list('you', {}), stats: keys.callStats('me', 30) };
  assert.deepEqual(refreshed(event, lists, 'a', 'b'), ['list']);
  assert.deepEqual(refreshed(event, lists, 'b'), []);
  assert.deepEqual(refreshed(event, CALL, 'a'), ['total', 'lines']);
});

test('a changed call refreshes everything about it, and the lists', () => {
  const event = { event: 'call', data: { call_id: 'a' } };
  assert.deepEqual(refreshed(event, CALL), ['call', 'total', 'lines', 'turns', 'callbacks']);
  const lists = {
    list: keys.list('me', { q: 'x' }),
    stats: keys.callStats('me', 30),
    scheduled: keys.scheduledCalls('me'),
    scheduledCall: keys.scheduledCall('me', 'a'),
  };
  assert.deepEqual(refreshed(event, lists), Object.keys(lists));
});

test('a model that took over refreshes its call', () => {
  const event = { event: 'provider.failed_over', data: { session_id: 'a' } };
  assert.deepEqual(refreshed(event, CALL), ['call', 'total', 'lines', 'turns', 'callbacks']);
});

test('a campaign refreshes what is shown of it, and the board', () => {
  const shown = {
    board: keys.campaignList('me'),
    campaign: keys.campaign('me', 'c'),
    stats: keys.campaignStats('me', 'c'),
    people: keys.recipients('me', 'c', ''),
    person: keys.recipient('me', 'c', 'p'),
    other: keys.campaign('me', 'd'),
    otherUser: keys.campaignList('you'),
    calls: keys.lists('me'),
  };
  const event = { event: 'campaign', data: { campaign_id: 'c' } };
  assert.deepEqual(refreshed(event, shown), ['board', 'campaign', 'stats', 'people', 'person']);
});

test('turns and deliveries refresh their own parts, a gap everything of the user', () => {
  assert.deepEqual(refreshed({ event: 'turn', data: { session_id: 'a' } }, CALL), ['turns']);
  assert.deepEqual(refreshed({ event: 'delivery', data: { session_id: 'a' } }, CALL), ['callbacks']);
  const list = { failed: keys.failingCallbacks('me'), list: keys.callbackList('me', {}) };
  assert.deepEqual(refreshed({ event: 'delivery', data: { session_id: null } }, list), ['failed', 'list']);
  assert.deepEqual(
    refreshed({ event: 'reset', data: {} }, CALL),
    Object.keys(CALL).filter((name) => name !== 'otherUser'),
  );
});

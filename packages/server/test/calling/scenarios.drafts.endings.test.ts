import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { endingOf, linesUntil } from '../../src/calling/scenarios/endings.ts';
import { called, draftOf } from '../support/drafts.ts';
import { send } from '../support/tests.ts';

const service = await startService();
after(() => service.close());

type Said = [number, string, string][];

const drafted = (config: object, said: Said, more: Json, end?: (id: string) => Promise<unknown>) =>
  draftOf(service, config, said, more, end);

/** Transfers a call, and waits for whoever answers there if the caller stays. */
const transferred = (type: 'COLD' | 'WARM') => async (id: string) => {
  await send(service, 'POST', `/api/sessions/${id}/transfer`, { phone_number: '+15005550101', type });
  if (type === 'COLD') return;
  await eventually(
    () => send(service, 'GET', `/api/calls/${id}`),
    ({ body }) => body.transfers[0]?.status === 'connected',
  );
};

const DESK = { destinations: [{ name: 'desk', phone_number: '+15005550101' }] };
const OPT_OUT = { compliance: { opt_out: { enabled: true } } };

test('transfers are drafted: those that took the caller away are expected, and others fail', async () => {
  const said: Said = [
    [0, 'USER', 'A person, please.'],
    [10, 'USER', 'Nobody there? Try again.'],
  ];
  const tool_calls = [called(5, 'transfer', '"desk is being called."'), called(15, 'transfer', 'null')];
  const missed = await drafted({ tools: { transfer: DESK } }, said, { tool_calls }, transferred('COLD'));
  assert.deepEqual(missed.scenario.tools, { transfer: [{ status: 500, on_call: 1 }, {}] });
  assert.deepEqual(missed.scenario.expect, [{ call: { end_reason: 'transferred', transfers: 1 } }]);
  assert.deepEqual(missed.scenario.caller.script?.at(-1), { say: 'Nobody there? Try again.' });
  const refused = {
    tool_calls: [called(5, 'transfer', 'The transfer failed: busy', true), called(20, 'hang_up', 'null')],
  };
  const { scenario } = await drafted({ tools: { transfer: DESK, hang_up: true } }, said, refused);
  assert.deepEqual(scenario.tools, { transfer: { status: 500 } });
  assert.deepEqual(scenario.expect, [{ call: { end_reason: 'agent_hung_up', transfers: 0 } }]);
  assert.equal(scenario.caller.script?.length, 2);
});

test('what the caller says while the agent transfers or says goodbye is left out: the call’s end tells what worked', async () => {
  const said: Said = [
    [0, 'USER', 'A person, please.'],
    [10, 'USER', 'Thanks.'],
  ];
  const config = { tools: { transfer: DESK, hang_up: true } };
  const tool_calls = [called(5, 'transfer', 'null')];
  for (const type of ['COLD', 'WARM'] as const) {
    const { scenario } = await drafted(config, said, { tool_calls }, transferred(type));
    assert.deepEqual(scenario.tools, undefined);
    assert.deepEqual(scenario.expect, [{ call: { end_reason: 'transferred', transfers: 1 } }], type);
    assert.deepEqual(scenario.caller.script, [{ say: 'A person, please.' }]);
  }
  const goodbye = { tool_calls: [called(5, 'hang_up', 'null')] };
  const left = await drafted(config, said, goodbye, (id) =>
    send(service, 'PATCH', `/api/sessions/${id}`, { ended_at: new Date().toISOString() }),
  );
  assert.deepEqual(left.scenario.expect, [{ call: { end_reason: 'agent_hung_up' } }]);
  assert.deepEqual(left.scenario.caller.script, [{ say: 'A person, please.' }]);
});

test('a transfer that nobody has answered fails in the scenario, too', async () => {
  const { scenario } = await drafted({ tools: { transfer: DESK } }, [[0, 'USER', 'A person, please.']], {
    tool_calls: [called(5, 'transfer', '"desk is being called."')],
  });
  assert.deepEqual(scenario.tools, { transfer: { status: 500 } });
  assert.deepEqual(scenario.expect, [{ call: { end_reason: 'caller_hung_up', transfers: 0 } }]);
});

test('a refusal of further calls ends the scenario, found in the words or by the agent, if the agent takes refusals', async () => {
  const said: Said = [
    [0, 'USER', 'What is it about?'],
    [10, 'USER', 'Stop calling me.'],
    [20, 'AGENT', 'You will not be called any more.'],
    [30, 'USER', 'Good.'],
  ];
  const asked = await drafted(OPT_OUT, said, {});
  assert.deepEqual(asked.scenario.expect, [{ call: { end_reason: 'agent_hung_up', opted_out: true } }]);
  assert.deepEqual(asked.scenario.caller.script, [{ say: 'What is it about?' }, { say: 'Stop calling me.' }]);
  const tool_calls = [called(5, 'never_call_again', 'null')];
  const noticed = await drafted(
    OPT_OUT,
    [
      [0, 'USER', 'I have had enough of this.'],
      [10, 'USER', 'Good.'],
    ],
    { tool_calls },
  );
  assert.deepEqual(noticed.scenario.expect, [{ call: { end_reason: 'agent_hung_up', opted_out: true } }]);
  assert.deepEqual(noticed.scenario.caller.script, [{ say: 'I have had enough of this.' }]);
  const { scenario } = await drafted({}, said, {});
  assert.deepEqual(scenario.expect, [{ call: { end_reason: 'caller_hung_up' } }]);
});

const line = (speaker: string, content: string, ...names: string[]) => ({
  speaker,
  content,
  calls: names.map((name) => ({ name, arguments: {}, result: 'null', is_error: false })),
});
const GONE = { end_reason: 'transferred', transferred_to: '+15005550101' };
const LEFT = { end_reason: 'ended_by_agent', transferred_to: null };

test('the first thing that has ended a conversation counts, and a goodbye after which the caller goes on does not', () => {
  const goodbye = [line('USER', 'Bye.'), line('AGENT', '', 'hang_up'), line('USER', 'One more thing.')];
  assert.equal(endingOf({ end_reason: 'hangup', transferred_to: null }, goodbye, true), null);
  assert.equal(endingOf(LEFT, goodbye, true)?.at, 1);
  const taken = [line('USER', 'A person.'), line('AGENT', '', 'transfer'), line('USER', 'Stop calling me.')];
  assert.equal(endingOf(GONE, taken, true)?.end_reason, 'transferred');
  assert.equal(endingOf(LEFT, taken, true)?.opted_out, true);
});

test('words that were told after the call of a tool that they asked for are part of the script', () => {
  const late = [
    line('AGENT', 'Hello.'),
    line('AGENT', '', 'transfer'),
    line('USER', 'A person.'),
    line('USER', 'Bye.'),
  ];
  const ending = endingOf(GONE, late, false);
  assert.deepEqual(ending && linesUntil(late, ending).at(-1), late[2]);
  const chat = [line('USER', 'Bye.'), line('AGENT', 'Goodbye.', 'hang_up'), line('USER', 'Hello?')];
  const left = endingOf(LEFT, chat, false);
  assert.deepEqual(left && linesUntil(chat, left), chat.slice(0, 2));
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Json } from '@switchboard/testkit/client.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { at, called, draftOf } from '../support/drafts.ts';
import { ended, resultsOf, start } from '../support/tests.ts';

const service = await startService();
after(() => service.close());

type Said = [number, string, string][];

const drafted = (config: object, said: Said, more: Json, end?: (id: string) => Promise<unknown>) =>
  draftOf(service, config, said, more, end);

const KEYS = [
  { name: 'account', description: 'the account number' },
  { name: 'pin', description: 'the PIN', sensitive: true },
];

test('interruptions and pressed keys are drafted where they were, and keys that are secret as an answer', async () => {
  const { scenario } = await drafted(
    { tools: { collect_digits: KEYS } },
    [
      [0, 'AGENT', 'Welcome to the bank of'],
      [5, 'USER', 'My balance, please.'],
      [9, 'AGENT', 'Type your account number.'],
      [20, 'AGENT', 'And your PIN.'],
      [30, 'USER', 'Thanks.'],
    ],
    {
      turns: [
        { turn_index: 0, end_of_speech_at: at(4), interrupted_after_ms: 1200.4 },
        { turn_index: 1, end_of_speech_at: at(29), interrupted_after_ms: null },
      ],
      tool_calls: [
        called(8, 'collect_account', '"4021"'),
        called(18, 'collect_pin', '"The caller has pressed 4 keys, which only functions may know."'),
        called(22, 'collect_account', 'The caller has pressed no key.', true),
      ],
    },
  );
  assert.deepEqual(scenario.caller.script, [
    { interrupt: 'My balance, please.', after_ms: 1200 },
    { dtmf: '4021' },
    { say: 'Thanks.' },
    { hang_up: true },
  ]);
  assert.deepEqual(scenario.tools, {
    collect_pin: { return: 'The caller has pressed 4 keys, which only functions may know.' },
  });
});

test('a tool of which one call does not tell its keys answers all of them, and nobody presses any', async () => {
  const said: Said = [
    [0, 'USER', 'My balance.'],
    [30, 'USER', 'Thanks.'],
  ];
  const secret = 'The caller has pressed 4 keys, which only functions may know.';
  const one = await drafted({ tools: { collect_digits: KEYS } }, said, {
    tool_calls: [called(5, 'collect_account', '"4021"'), called(15, 'collect_account', secret)],
  });
  assert.deepEqual(one.scenario.caller.script, [{ say: 'My balance.' }, { say: 'Thanks.' }, { hang_up: true }]);
  assert.deepEqual(one.scenario.tools, { collect_account: [{ return: '4021', on_call: 1 }, { text: secret }] });
  // One that never answered, because the caller was gone, takes nothing from those that did.
  const { scenario } = await drafted({ tools: { collect_digits: KEYS } }, said, {
    tool_calls: [called(5, 'collect_account', '"4021"'), called(35, 'collect_account', null)],
  });
  assert.deepEqual(scenario.caller.script?.[1], { dtmf: '4021' });
  assert.equal(scenario.tools, undefined);
});

test('the agent of an outbound call tells what must be said first in its draft, too, as it did', async () => {
  const config = { greeting: 'Hello.', compliance: { disclosure: { text: 'This call is recorded.' } } };
  const { scenario, agent_id } = await drafted(
    config,
    [
      [0, 'AGENT', 'This call is recorded. Hello.'],
      [10, 'USER', 'Hi.'],
    ],
    {},
  );
  assert.deepEqual(scenario.line, { answered_by: 'human' });
  const run = await ended(service, await start(service, { agent_id, texts: [JSON.stringify(scenario)] }));
  const [result = assert.fail()] = await resultsOf(service, run);
  assert.equal(result.conversations[0].turns[0].words, 'This call is recorded. Hello.');
});

// Commands of people who supervise a call, as Switchboard sends them through the media server.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { voice } from '@livekit/agents';
import type { RpcInvocationData } from '@livekit/rtc-node';
import { obeyCommands } from '../conversation/commands.ts';

function start({ taken = false, isBusy = false, isConsulting = false } = {}) {
  const done: unknown[] = [];
  let method: (data: RpcInvocationData) => Promise<string> = async () => assert.fail('nothing is registered');
  const agent = new voice.Agent({ instructions: 'Be kind.' });
  obeyCommands({
    session: {
      tts: {} as voice.AgentSession['tts'],
      llm: undefined,
      say: (text: unknown) => done.push(['say', text]) as never,
      interrupt: () => done.push('interrupt') as never,
      generateReply: (options: unknown) => done.push(['reply', options]) as never,
    } as never,
    agent,
    room: {
      name: 'room-1',
      localParticipant: {
        registerRpcMethod: (name: string, handler: typeof method) => {
          assert.equal(name, 'switchboard.command');
          method = handler;
        },
        publishDtmf: async (_code: number, digit: string) => void done.push(['key', digit]),
      } as never,
    },
    log: { warn: () => {}, error: () => {} },
    takeover: {
      isOn: () => taken,
      isAway: () => taken || isConsulting,
      take: () => {
        if (taken || isBusy) return taken ? 'taken' : 'busy';
        done.push('taken');
        return null;
      },
    },
    finish: (text) => done.push(['finish', text]),
    secret: 'secret',
  });
  const send = (command: unknown, secret = 'secret', room = 'room-1') => {
    const text = JSON.stringify(command);
    const signature = createHmac('sha256', secret).update(`${room}\n${text}`).digest('base64url');
    const payload = JSON.stringify({ command: text, signature });
    return method({ requestId: 'request-1', callerIdentity: 'request-1', payload, responseTimeout: 4000 });
  };
  return { done, send, agent };
}

test('a text is said, at once if it interrupts', async () => {
  const { done, send } = start();
  await send({ type: 'say', text: 'One.', interrupt: false });
  await send({ type: 'say', text: 'Two.', interrupt: true });
  assert.deepEqual(done, [['say', 'One.'], 'interrupt', ['say', 'Two.']]);
});

test('an instruction holds beside those of the agent and earlier ones, and may be followed at once', async () => {
  const { done, send, agent } = start();
  await send({ type: 'instruct', text: 'Offer a refund.', reply: false });
  await send({ type: 'instruct', text: 'Say goodbye.', reply: true });
  assert.equal(agent.instructions, 'Be kind.\n\nOffer a refund.\n\nSay goodbye.');
  assert.deepEqual(done, [['reply', { instructions: 'Say goodbye.' }]]);
});

test('keys are pressed in order, without keeping the request waiting', async () => {
  const { done, send } = start();
  await send({ type: 'press', digits: '1#' });
  while (done.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(done, [
    ['key', '1'],
    ['key', '#'],
  ]);
});

test('the service has the agent say last words and hang up', async () => {
  const { done, send } = start();
  await send({ type: 'finish', text: 'Goodbye.' });
  assert.deepEqual(done, [['finish', 'Goodbye.']]);
});

test('the agent is silenced for a colleague, once, and not while it must not be interrupted', async () => {
  const { done, send } = start();
  await send({ type: 'take_over' });
  assert.deepEqual(done, ['taken']);
  await assert.rejects(start({ taken: true }).send({ type: 'take_over' }), { code: 4001 });
  await assert.rejects(start({ isBusy: true }).send({ type: 'take_over' }), { code: 4002 });
});

test('while a colleague talks in its place, nobody has the agent say something, but instruct it or press keys', async () => {
  const { done, send, agent } = start({ taken: true });
  await assert.rejects(send({ type: 'say', text: 'One.', interrupt: true }), { code: 4001 });
  await assert.rejects(send({ type: 'instruct', text: 'Two.', reply: true }), { code: 4001 });
  await send({ type: 'instruct', text: 'Three.', reply: false });
  await send({ type: 'press', digits: '1' });
  assert.equal(agent.instructions, 'Be kind.\n\nThree.');
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(done, [['key', '1']]);
});

test('what the caller is to hear is not said to the target of a transfer, whom the agent consults', async () => {
  const { done, send, agent } = start({ isConsulting: true });
  await assert.rejects(send({ type: 'say', text: 'One.', interrupt: true }), { code: 4002 });
  await assert.rejects(send({ type: 'instruct', text: 'Two.', reply: true }), { code: 4002 });
  await send({ type: 'instruct', text: 'Three.', reply: false });
  assert.deepEqual([agent.instructions, done], ['Be kind.\n\nThree.', []]);
});

test('nobody commands without the signature for this room, and an unknown command is an unsupported method', async () => {
  const { done, send } = start();
  const command = { type: 'say', text: 'Spend money.', interrupt: true };
  await assert.rejects(send(command, 'a guess'), /not permitted/);
  await assert.rejects(send(command, 'secret', 'room-2'), /not permitted/);
  await assert.rejects(send({ type: 'dance' }), { code: 1400 });
  assert.deepEqual(done, []);
});

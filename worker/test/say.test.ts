import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, voice } from '@livekit/agents';
import { WebSocketServer } from 'ws';
import { readConfig } from '../conversation/config.ts';
import { createModels } from '../conversation/models.ts';
import { say } from '../conversation/say.ts';
import { createSession } from '../conversation/session.ts';
import { watchSilence } from '../conversation/silence.ts';

initializeLogger({ pretty: false, level: 'silent' });

/** A stand-in for the model: accepts requests, and never answers. */
const asked: { type: string; response?: { instructions?: string } }[] = [];
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
server.on('connection', (socket) => socket.on('message', (message) => asked.push(JSON.parse(String(message)))));
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;

class Speaker extends voice.AudioOutput {
  override clearBuffer(): void {}
}

async function told(text: string): Promise<string> {
  const find = () =>
    asked.find(({ type, response }) => type === 'response.create' && response?.instructions?.includes(text));
  const deadline = Date.now() + 10_000;
  while (!find() && Date.now() < deadline) await sleep(10);
  return find()?.response?.instructions ?? '';
}

/** A session of an agent whose only model is a realtime model. */
async function startSession() {
  const silence = { timeout_s: 0.01, message: 'Are you there, {{name}}?', max_prompts: 1 };
  const config = readConfig({
    config: { instructions: 'Be brief.', realtime: { base_url: url }, silence },
    variables: { name: 'Ada' },
  });
  const session = createSession(config, createModels(config, { keys: {}, baseUrls: new Map([[url, 'k']]) }));
  session.output.audio = new Speaker(24_000);
  await session.start({ agent: new voice.Agent({ instructions: config.instructions }) });
  return { session, config };
}

test('an agent with a realtime model, which has no separate voice, says its greeting', async () => {
  const { session } = await startSession();
  say(session, 'Hello Ada.');
  assert.match(await told('Hello Ada.'), /word for word.*"Hello Ada\."/);
});

test('an agent of a realtime model asks a silent caller', async () => {
  const { session, config } = await startSession();
  watchSilence(session, config.silence, () => {})();
  assert.match(await told('Are you there'), /"Are you there, Ada\?"/);
});

test('a silent caller is neither prompted nor hung up on by a session that closes', async () => {
  const acts: string[] = [];
  class Leaving extends voice.Agent {
    override async onExit(): Promise<void> {
      await sleep(200);
    }
  }
  const session = new voice.AgentSession({ vad: null, userAwayTimeout: null });
  await session.start({ agent: new Leaving({ instructions: 'Be brief.' }) });
  session.say = () => assert.fail(`${acts.push('said')}`);
  for (const maxPrompts of [0, 1])
    watchSilence(session, { timeoutMs: 50, message: 'Are you there?', maxPrompts }, () => acts.push('hung up'))();
  assert.equal(session.agentState, 'listening');
  await session.close();
  assert.deepEqual(acts, []);
});

test('a prompt that cannot be said does not end the process', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let tries = 0;
  const say = () => {
    tries++;
    throw new Error('AgentSession is closing, cannot use say()');
  };
  const session = Object.assign(new EventEmitter(), { tts: {}, agentState: 'listening', userState: 'listening', say });
  watchSilence(session as never, { timeoutMs: 50, message: 'Are you there?', maxPrompts: 1 }, () => assert.fail())();
  t.mock.timers.tick(50);
  assert.equal(tries, 1);
});

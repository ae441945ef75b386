import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { initializeLogger, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { followCaller } from '../conversation/caller-speech.ts';
import { awaitSilence, detectVoicemail, type Outcome } from '../conversation/voicemail.ts';
import { complete } from '../local/completions.ts';

initializeLogger({ pretty: false, level: 'silent' });

const model = createServer(async (request, response) => {
  // The plugin connects in advance with a request of its own.
  if (request.method !== 'POST') response.writeHead(404).end();
  else complete(JSON.parse(Buffer.concat(await request.toArray()).toString()), response);
});
await once(model.listen(0, '127.0.0.1'), 'listening');
after(() => {
  model.closeAllConnections();
  model.close();
});

/** The report about a callee who makes a short sound, whose words are recognized later. */
async function answeredWith(words: string) {
  const baseURL = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`;
  const session = new voice.AgentSession({
    vad: null,
    llm: new openai.LLM({ baseURL, apiKey: 'k', model: 'rules' }),
  });
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }) });
  const outcomes: Outcome[] = [];
  const settings = { action: 'hang_up', message: null } as const;
  const continues = detectVoicemail(session, settings, (outcome) => outcomes.push(outcome));
  // As the library calls these when its voice detection and the recognizer notice something.
  const { amd } = session;
  assert.ok(amd);
  amd.onUserSpeechStarted();
  amd.onUserSpeechEnded(250);
  await sleep(400);
  amd.onTranscript(words);
  const result = { continues: await continues, outcomes };
  await session.close();
  return result;
}

test('a short sound is nobody: its words say whether a person or a machine has answered, even late', async () => {
  const [machine, person] = await Promise.all([
    answeredWith('Please leave a message after the tone.'),
    answeredWith('Hello?'),
  ]);
  assert.deepEqual(machine, { continues: false, outcomes: [{ answered_by: 'voicemail', hang_up: true }] });
  assert.deepEqual(person, { continues: true, outcomes: [{ answered_by: 'human' }] });
});

test('a callee who says nothing that is recognized is greeted after a silence', async (t) => {
  const session = new voice.AgentSession({ vad: null, llm: new openai.LLM({ apiKey: 'k', model: 'none' }) });
  await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }) });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const outcomes: Outcome[] = [];
  const settings = { action: 'hang_up', message: null } as const;
  const continues = detectVoicemail(session, settings, (outcome) => outcomes.push(outcome));
  t.mock.timers.tick(4_000);
  assert.equal(await continues, true);
  assert.deepEqual(outcomes, [{ answered_by: 'unknown' }]);
  t.mock.timers.reset();
  await session.close();
});

test('a callee who speaks is waited for, and greeted once nobody has said a word that was recognized', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const session = new voice.AgentSession({ vad: null });
  session._updateUserState('speaking');
  const caller = followCaller(session);
  const silence = awaitSilence(session, caller, 4_000);
  let isReached = false;
  silence.reached.then(() => {
    isReached = true;
  });
  const after = async (ms: number): Promise<boolean> => {
    t.mock.timers.tick(ms);
    await Promise.resolve();
    return isReached;
  };
  assert.equal(await after(10_000), false);
  session._updateUserState('listening');
  assert.equal(await after(3_000), false);
  session._updateUserState('speaking');
  session._updateUserState('listening');
  assert.equal(await after(3_999), false);
  assert.equal(await after(1), true);
  silence.stop();
  caller.stop();
});

/**
 * `npm run talk`: talk to an agent in the browser, on this machine. Starts a media server, the service and the
 * worker, and prints the URL of the page. Without an OpenAI key it uses local models, and a synthetic caller talks to
 * the agent first. `--no-browser` exits after that, which is the default without a terminal; `--stay` waits for the
 * browser there too.
 */

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, Switchboard, Transcript } from '@switchboard/client';
import { missingMediaServer } from '@switchboard/testkit/media-server.ts';
import { killPrograms } from '@switchboard/testkit/program.ts';
import type { Speaker } from '@switchboard/testkit/speaker.ts';
import { missingVoice, startVoice, type Voice } from '@switchboard/testkit/voice.ts';
import { installWorker } from '@switchboard/testkit/worker.ts';
import { toWav } from '../worker/local/voice.ts';
import { createClient } from './client.ts';
import { interruption, listenForInterruption, poll } from './pace.ts';
import * as screen from './screen.ts';
import { type Stack, startStack } from './talk-stack.ts';

/** The user that the console shows first. */
const USER_ID = 'me';
/** Sentences that the recognizer always understands: docs/speech.md. */
const SENTENCES = ['When do you open on Sunday?', 'Where can I park my car?', 'You can hang up now.'];
const INSTRUCTIONS = `You are at the front desk of a library. Be brief.
The library opens at ten on Sundays, and at nine on all other days.
A library card costs five dollars a year.
If somebody asks about parking, say that they can park for free behind the building.`;
const ANSWER_MS = 20_000;
/** Right after the installation nothing is cached, and the agent's process takes long to start. */
const GREETING_MS = 60_000;
const REPORTS_MS = 5_000;

const options = new Set(process.argv.slice(2));
const hasKey = Boolean(process.env.OPENAI_API_KEY);
const staysForBrowser = !options.has('--no-browser') && (process.stdout.isTTY || options.has('--stay') || hasKey);

/** Says the sentences, and waits for the answer to each. */
async function converse(caller: Speaker, voice: Voice, transcript: () => Promise<Transcript[]>): Promise<void> {
  let shown = 0;
  async function showUntil(isThere: (lines: Transcript[]) => boolean, withinMs = ANSWER_MS): Promise<void> {
    const answer = await poll(async () => {
      const lines = await transcript();
      for (const { speaker, content } of lines.slice(shown)) screen.line(speaker.toLowerCase(), content);
      shown = lines.length;
      return isThere(lines) || undefined;
    }, withinMs);
    if (!answer) throw new Error('The agent did not answer.');
  }
  const isAnswered = (lines: Transcript[]) => lines.at(-1)?.speaker === 'AGENT';
  await showUntil(isAnswered, GREETING_MS);
  for (const sentence of SENTENCES) {
    const heard = caller.heard();
    screen.line('', `(recognized from its voice: "${await voice.recognize(heard)}")`);
    const words = await voice.speak(sentence);
    const before = shown;
    await caller.say(words);
    await showUntil((lines) => lines.length > before && isAnswered(lines));
  }
}

async function showCosts(sb: Switchboard, call_id: string): Promise<void> {
  const turns = await poll(async () => {
    const { items } = await sb.sessions.turns(call_id);
    const { call_status } = await sb.calls.get(call_id);
    return items.length >= SENTENCES.length && call_status === 'COMPLETED' ? items : undefined;
  }, REPORTS_MS);
  const { total_cost, by_event_type, events } = await sb.sessions.costs(call_id);
  screen.line('cost', `${total_cost} in ${events.length} usage events (the prices are made up)`);
  screen.table(Object.entries(by_event_type));
  for (const { transcript_ms, first_token_ms, first_audio_ms } of turns ?? [])
    screen.line(
      'latency',
      `transcript ${transcript_ms} ms, first token ${first_token_ms}, first audio ${first_audio_ms}`,
    );
}

/** A browser call by a caller with a synthetic voice. */
async function callAgent(sb: Switchboard, agent: Agent, voice: Voice): Promise<void> {
  // Otherwise the media server's library writes debug output to the terminal. It must be set before the import.
  process.env.NODE_ENV ??= 'production';
  const { speakIn } = await import('@switchboard/testkit/speaker.ts');
  const { call_id, url, token } = await sb.calls.startWeb({ agent_id: agent.id });
  const caller = await speakIn(url, token);
  await converse(caller, voice, async () => (await sb.sessions.transcripts(call_id)).items);
  const { said, heard, rate } = caller.recording();
  await caller.leave();
  await showCosts(sb, call_id);
  const file = path.join(tmpdir(), 'switchboard-talk.wav');
  await writeFile(file, toWav(said, rate, heard));
  screen.line('listen', `${file} (the caller on the left, the agent on the right)`);
}

/** The local models, unless there is a key for real ones. */
async function startModels(): Promise<Voice | null> {
  if (hasKey) {
    screen.line('models', "OpenAI's; the agent's page changes them");
    return null;
  }
  const voice = await startVoice();
  screen.line('models', `${voice.url} (Festival, Moonshine, and a few rules instead of a language model)`);
  return voice;
}

async function run(): Promise<void> {
  const missing = missingMediaServer() ?? (hasKey ? null : missingVoice());
  if (missing) throw new Error(`Not on this machine: ${missing}`);
  screen.title('Switchboard: a spoken conversation', 'On this machine.');
  await installWorker();
  const dir = await mkdtemp(path.join(tmpdir(), 'switchboard-talk-'));
  let stack: Stack | null = null;
  try {
    screen.heading(1, 'Starting');
    const voice = await startModels();
    stack = await startStack(dir, { modelUrl: voice?.url, onProblem: (problem) => screen.line('worker', problem) });
    const { sb } = createClient(stack.url, USER_ID);
    const agent = await sb.agents.create({
      name: 'Front desk',
      config: {
        instructions: INSTRUCTIONS,
        greeting: 'Welcome to the library. How can I help you?',
        ...voice?.config,
        tools: { hang_up: true },
      },
    });
    const page = `${stack.url}/console/agents/${agent.id}?user=${USER_ID}`;
    screen.line('page', page);
    if (voice) {
      screen.heading(2, 'A caller talks to it');
      await callAgent(sb, agent, voice);
    }
    if (!staysForBrowser) return;
    screen.heading(voice ? 3 : 2, 'Your turn');
    screen.line('open', page);
    screen.line('', 'Press "Talk", allow the microphone, and speak. Ctrl-C stops everything.');
    await sleep(2 ** 31 - 1, undefined, { signal: interruption }).catch(() => {});
  } finally {
    await stack?.stop();
    killPrograms();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

listenForInterruption();
try {
  await run();
  process.exit(0);
} catch (error) {
  if (!interruption.aborted) screen.failure(error instanceof Error ? error.message : String(error));
  process.exit(interruption.aborted ? 130 : 1);
}

/**
 * Holds the text scenarios of the templates in turn: by rules, by the worker with a model over HTTP, and the same turns
 * in sessions of the bare library and in Pipecat's evals with the same model. `npm run bench -- scenarios` starts it;
 * it prints its figures.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { initializeLogger, llm, voice } from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';
import { type RunResult, runScenario } from '@switchboard/scenarios';
import { endOf } from '@switchboard/scenarios/agent';
import { readScenario } from '@switchboard/scenarios/read';
import { createRulesAgent } from '@switchboard/scenarios/rules-agent';
import type { Scenario } from '@switchboard/scenarios/schema';
import type { Trace } from '@switchboard/scenarios/trace';
import { TEMPLATES } from '../../packages/templates/src/templates.ts';
import { readConfig } from '../conversation/config.ts';
import { createWritingSession } from '../conversation/session.ts';
import { createParts } from '../scenario/hold.ts';
import { createStandIns } from '../scenario/stand-ins.ts';
import { readPrices } from '../switchboard/prices.ts';
import { type Held, startPipecat } from './pipecat.ts';

initializeLogger({ pretty: false, level: 'silent' });

const [base_url = '', conversations = '', rounds = '', python = ''] = process.argv.slice(2);
const MODEL = { provider: 'openai', model: 'rules', base_url };
const folder = path.resolve(import.meta.dirname, '../../packages/templates/scenarios');

/** A scenario, and the configuration of its agent. */
interface Job {
  name: string;
  scenario: Scenario;
  config: Record<string, unknown>;
}

const jobs = TEMPLATES.flatMap(({ key, config }): Job[] =>
  globSync(`${key}/*.yaml`, { cwd: folder })
    .sort()
    .flatMap((name) => {
      const { scenario } = readScenario(readFileSync(path.join(folder, name), 'utf8'));
      if (!scenario) return [];
      // A model takes real time, which is measured here instead.
      const expect = scenario.expect.filter(({ latency }) => latency === undefined);
      return [{ name, scenario: { ...scenario, expect }, config: { ...config, llm: MODEL } }];
    }),
);
const all = Array.from({ length: Number(conversations) }, (_, at) => jobs[at % jobs.length] as Job);
/** Conversations as the worker held them, by the names of their scenarios. */
const traces = new Map<string, Trace>();

const models = { keys: {}, baseUrls: new Map([[base_url, 'key']]) };
const means = { models, prices: readPrices(null), tape: null };

function passed({ name }: Job, { status, checks, trace }: RunResult): Trace {
  if (status !== 'passed') throw new Error(`${name}: ${trace.error ?? JSON.stringify(checks)}`);
  return trace;
}

const HOLD: Record<string, (job: Job) => Promise<void>> = {
  rules: async (job) => {
    const { scenario, config } = job;
    passed(job, await runScenario(scenario, (around) => createRulesAgent(config, scenario.variables ?? {}, around)));
  },
  worker: async (job) => {
    const { make, ...minds } = createParts(job.scenario, job.config, means);
    traces.set(job.name, passed(job, await runScenario(job.scenario, make, minds)));
  },
  bare: holdBare,
};

/** Says to a session of the library what was said to the worker's agent; its tools answer as they did then. */
async function holdBare({ name, scenario: { variables = {} }, config }: Job): Promise<void> {
  const { turns } = traces.get(name) ?? { turns: [] };
  const calls = turns.flatMap((turn) => turn.calls);
  const asked = readConfig({ config, variables });
  const { instructions } = asked;
  const tools = createStandIns(asked, () => {
    const call = calls.shift();
    if (!call) throw new Error(`${name}: a call that the worker's agent has not made`);
    return { ...call, endsCall: endOf(call) !== null };
  });
  const model = new openai.LLM({ model: MODEL.model, apiKey: 'key', baseURL: base_url });
  const session = createWritingSession(model);
  const agent = new voice.Agent({ instructions, chatCtx: llm.ChatContext.empty(), tools });
  await session.start({ agent, record: false });
  for (const { heard, words, decisions } of turns) {
    if (decisions.length > 0) await session.generateReply({ userInput: heard ?? '' }).waitForPlayout();
    else await remember(agent, heard, words);
  }
  const said = agent.chatCtx.items.flatMap((item) =>
    item.type === 'message' && item.role === 'assistant' ? (item.textContent ?? '') : [],
  );
  const wanted = turns.map(({ words }) => words);
  if (plain(said) !== plain(wanted)) throw new Error(`${name}: ${plain(said)}, and not ${plain(wanted)}`);
  // As the worker ends it.
  session.shutdown({ drain: false, reason: voice.CloseReason.ERROR });
  await session.close();
  await model.aclose();
}

/** Conversation that the worker's agent has had, with the instructions and tools that its model was given. */
function held({ name, scenario: { variables = {} }, config }: Job): Held {
  const asked = readConfig({ config, variables });
  const tools = createStandIns(asked, () => Promise.reject(new Error('no tool is called here')));
  return { name, instructions: asked.instructions, tools, trace: traces.get(name) as Trace };
}

const plain = (texts: readonly string[]) => texts.join(' ').replaceAll(/\s+/g, ' ').trim();

/** Words of the configuration, such as a greeting, and those that nobody thinks about. */
async function remember(agent: voice.Agent, heard: string | null, words: string): Promise<void> {
  const context = agent.chatCtx.copy();
  if (heard) context.addMessage({ role: 'user', content: heard });
  if (words) context.addMessage({ role: 'assistant', content: words });
  await agent.updateChatCtx(context);
}

const askedSoFar = async () => Number(await (await fetch(base_url.replace(/\/v1$/, '/asked'))).text());

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

async function measure(by: string) {
  const hold = HOLD[by];
  const cpuMs = by === 'pipecat' ? pipecat.cpuMs : ownCpuMs;
  const [before, cpu, begun] = [await askedSoFar(), cpuMs(), performance.now()];
  for (const job of all) await hold?.(job);
  const ms = performance.now() - begun;
  return { by, ms, cpu_ms: cpuMs() - cpu, asked: (await askedSoFar()) - before };
}

/** Compiled, connected, and held once. */
async function warmUp(by: string): Promise<void> {
  for (const job of jobs) await HOLD[by]?.(job);
}

for (const by of Object.keys(HOLD)) await warmUp(by);
const pipecat = await startPipecat(python, base_url, jobs.map(held));
HOLD.pipecat = ({ name }) => pipecat.hold(jobs.findIndex((job) => job.name === name));
await warmUp('pipecat');
const names = Object.keys(HOLD);
const measured = [];
for (let round = 0; round < Number(rounds); round++) for (const by of names) measured.push(await measure(by));
const turns = all.flatMap(({ name }) => traces.get(name)?.turns ?? []).filter(({ decisions }) => decisions.length > 0);
const memory_mib = process.memoryUsage().rss / 2 ** 20;
console.log(JSON.stringify({ scenarios: jobs.length, turns: turns.length, memory_mib, measured }));
await pipecat.stop();
process.exit(0);

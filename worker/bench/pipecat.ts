import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { llm } from '@livekit/agents';
import { endOf } from '@switchboard/scenarios/agent';
import type { Trace, TraceTurn } from '@switchboard/scenarios/trace';
import { cpuMs } from '../../bench/support/cpu.ts';
import { freePort } from '../../packages/testkit/ports.ts';
import { startProgram } from '../../packages/testkit/program.ts';

const FOLDER = path.resolve(import.meta.dirname, '../../bench/baselines/pipecat');
const START_MS = 120_000;

/** A conversation as the worker's agent has had it, for an agent of Pipecat to have again. */
export interface Held {
  name: string;
  instructions: string;
  tools: llm.ToolContextEntry[];
  trace: Trace;
}

/** Starts Pipecat's evals and an agent for them, each in a process of its own as `pipecat eval run` has them. */
export async function startPipecat(python: string, modelUrl: string, held: Held[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'pipecat-evals-'));
  const write = (name: string, data: object) => {
    writeFileSync(path.join(folder, name), JSON.stringify(data));
    return path.join(folder, name);
  };
  const port = await freePort();
  const env = { ...process.env, MODEL_URL: modelUrl, SCENARIOS: write('agents.json', held.map(agentOf)) };
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const agent = startProgram([python, path.join(FOLDER, 'eval_agent.py'), ...address], { env });
  await agent.until((output) => output.includes('Uvicorn running on'), START_MS);
  // JSON is YAML.
  const file = write('evals.yaml', { name: 'templates', scenarios: held.map(scenarioOf) });
  const evals = startProgram([python, path.join(FOLDER, 'evals.py'), `ws://127.0.0.1:${port}/ws`, file], {
    showErrors: true,
  });
  const lines = createInterface({ input: evals.child.stdout as Readable })[Symbol.asyncIterator]();
  const programs = [agent, evals];
  return {
    /** Throws if the scenario has not passed. */
    async hold(at: number): Promise<void> {
      evals.child.stdin?.write(`${at}\n`);
      const { value } = await lines.next();
      const failures = JSON.parse(value ?? '["Pipecat’s evals have ended"]') as string[];
      if (failures.length > 0) throw new Error(failures.join('\n'));
    },
    cpuMs: () => programs.reduce((sum, { child }) => sum + cpuMs(child.pid ?? 0), 0),
    async stop(): Promise<void> {
      await Promise.all(programs.map((program) => program.end('SIGKILL')));
      rmSync(folder, { recursive: true });
    },
  };
}

const decided = ({ decisions }: TraceTurn) => decisions.length > 0;

/** The instructions and tools of the agent, and what its tools answered in turn. */
function agentOf({ instructions, tools, trace }: Held) {
  const answers = trace.turns.flatMap(({ calls }) => calls.map((call) => [parsed(call.text), endOf(call) !== null]));
  const schemas = tools.flatMap((tool) => {
    if (!('execute' in tool)) return [];
    const { properties = {}, required = [] } = llm.toJsonSchema(tool.parameters, true, false);
    return [{ name: tool.name, description: tool.description, properties, required }];
  });
  return { instructions, tools: schemas, answers };
}

/** Words said without a model stand in the context; each answer of a model has to be the worker's. */
function scenarioOf({ name, trace: { turns } }: Held) {
  const until = turns.findIndex(decided);
  const context = turns
    .slice(0, until < 0 ? turns.length : until)
    .flatMap(({ heard, words }) => [
      ...(heard ? [{ role: 'user', content: heard }] : []),
      ...(words ? [{ role: 'assistant', content: words }] : []),
    ]);
  const asked = turns.filter(decided).map(({ heard, words, calls }) => ({
    user: heard,
    expect: [
      ...(calls.length > 0 ? [{ event: 'function_call', calls: calls.map(expected) }] : []),
      { event: 'response', text_contains: words, check_from: 'turn_start' },
    ],
  }));
  return { name, context, turns: asked };
}

const expected = ({ name, arguments: args }: TraceTurn['calls'][number]) => ({ name, args });

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

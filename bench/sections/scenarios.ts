import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { median } from '@switchboard/testkit/median.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { table } from '@switchboard/testkit/table.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { information, type Line, type Section, show } from '../support/report.ts';

const CONVERSATIONS = 200;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PATIENCE_MS = 1_800_000;

/** One of those that hold the conversations. */
type By = 'rules' | 'worker' | 'bare';

interface Figures {
  /** Scenarios of the templates, of which each is held several times. */
  scenarios: number;
  /** Answers of the agent in all conversations. */
  turns: number;
  memory_mib: number;
  measured: { by: By; ms: number; cpu_ms: number; asked: number }[];
}

const NAMES: Record<By, string> = {
  rules: 'rules, as the command without an account',
  worker: 'the worker, with a model over HTTP',
  bare: 'sessions of the bare library, with the same model',
};

/** Text scenarios of the templates: how long they take, and what the worker adds to the library that it stands on. */
export async function scenarios(): Promise<Section> {
  const { scenarios: kinds, turns, memory_mib, measured } = await held();
  const of = (by: By, what: 'ms' | 'cpu_ms' | 'asked') =>
    median(measured.filter((one) => one.by === by).map((one) => one[what]));
  const ratios = (what: 'ms' | 'cpu_ms') => {
    const [worker, bare] = (['worker', 'bare'] as const).map((by) => measured.filter((one) => one.by === by));
    return median((worker ?? []).map((one, round) => one[what] / (bare?.[round]?.[what] ?? Number.NaN)));
  };
  const seconds = (by: By): Line => {
    const what = `${CONVERSATIONS} text scenarios: ${NAMES[by]}`;
    return { what, measured: `${show(of(by, 'ms') / 1_000)} s`, at_least: null };
  };
  const load = loadavg()[0] ?? Number.NaN;
  const added = (of('worker', 'ms') - of('bare', 'ms')) / turns;
  return {
    lines: [
      seconds('rules'),
      seconds('worker'),
      information('the worker: time, of that of the bare library', ratios('ms'), 1),
      information('the worker: processor time, of that of the bare library', ratios('cpu_ms'), 1),
    ],
    details: `The ${kinds} scenarios of the templates in turn, ${CONVERSATIONS} conversations one after the other in one process with ${turns} answers of the agent: medians of ${ROUNDS} interleaved rounds, and of the ratios in each, after a warm-up. The model is a process beside it that answers by rules, in OpenAI’s protocol. The bare library is a session of \`@livekit/agents\` for each conversation, with the same settings and tools, which is told what the worker’s agent was told; the worker also reads the configuration, keeps a trace, plays the tools and the clock, checks what is expected, and asks the model who has answered the phone. That is ${show(added)} ms for each answer. Memory of the process at the end: ${show(memory_mib)} MiB. Pipecat’s evals were not measured.

${table(
  ['', 'seconds', 'CPU seconds', 'ms an answer', 'requests to the model', 'CPU ms a request'],
  (['rules', 'worker', 'bare'] as const).map((by) => [
    NAMES[by],
    show(of(by, 'ms') / 1_000),
    show(of(by, 'cpu_ms') / 1_000),
    show(of(by, 'ms') / turns),
    String(of(by, 'asked')),
    of(by, 'asked') === 0 ? '' : show(of(by, 'cpu_ms') / of(by, 'asked')),
  ]),
)}

Load of the machine at the end, ${cpus().length} cores: ${show(load)}.${load > cpus().length ? ' Others used it at the same time: of the times only those of processors can be relied on.' : ''}`,
  };
}

async function held(): Promise<Figures> {
  await installWorker();
  const program = (file: string, ...args: string[]) =>
    startProgram([process.execPath, path.join(WORKER_DIR, 'bench', file), ...args], { showErrors: true });
  const model = program('model.ts');
  try {
    const url = await model.until((output) => /^http\S+/.exec(output)?.[0]);
    const holding = program('scenarios.ts', url, String(CONVERSATIONS), String(ROUNDS));
    const line = await holding.until((output) => /^\{.*\}$/m.exec(output)?.[0], PATIENCE_MS);
    await holding.exit;
    return JSON.parse(line) as Figures;
  } finally {
    await model.end('SIGKILL');
  }
}

import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { median } from '@switchboard/testkit/median.ts';
import { startProgram } from '@switchboard/testkit/program.ts';
import { table } from '@switchboard/testkit/table.ts';
import { installWorker, WORKER_DIR } from '@switchboard/testkit/worker.ts';
import { preparePipecat } from '../baselines/prepare.ts';
import { information, type Line, type Section, show } from '../support/report.ts';

const CONVERSATIONS = 200;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const PATIENCE_MS = 1_800_000;
/** Time that a whole suite may take, with the start of a service. */
const SUITE_S = 120;
const SUITE = 'npm run agent-tests -- --start packages/templates/scenarios';
const ROOT = path.resolve(import.meta.dirname, '../..');

/** One of those that hold the conversations. */
type By = 'rules' | 'worker' | 'bare' | 'pipecat';

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
  pipecat: 'Pipecat’s evals in text mode, with the same model',
};

/** Text scenarios of the templates: how long they take, and what the worker adds to the library that it stands on. */
export async function scenarios(): Promise<Section> {
  const { scenarios: kinds, turns, memory_mib, measured } = await held();
  const suite = await suiteSeconds();
  const of = (by: By, what: 'ms' | 'cpu_ms' | 'asked') =>
    median(measured.filter((one) => one.by === by).map((one) => one[what]));
  const ratios = (what: 'ms' | 'cpu_ms', other: By) => {
    const [worker, others] = (['worker', other] as const).map((by) => measured.filter((one) => one.by === by));
    return median((worker ?? []).map((one, round) => one[what] / (others?.[round]?.[what] ?? Number.NaN)));
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
      seconds('pipecat'),
      information('the worker: time, of that of the bare library', ratios('ms', 'bare'), 1),
      information('the worker: processor time, of that of the bare library', ratios('cpu_ms', 'bare'), 1),
      information('the worker: time, of that of Pipecat’s evals', ratios('ms', 'pipecat'), 1),
      information('the worker: processor time, of that of Pipecat’s evals', ratios('cpu_ms', 'pipecat'), 1),
      {
        what: `\`${SUITE}\`, ${kinds} scenarios`,
        measured: `${show(suite)} s`,
        at_least: `at most ${SUITE_S} s`,
        reached: suite <= SUITE_S,
      },
    ],
    details: `The ${kinds} scenarios of the templates in turn, ${CONVERSATIONS} conversations one after the other in one process with ${turns} answers of the agent: medians of ${ROUNDS} interleaved rounds, and of the ratios in each, after a warm-up. The model is a process beside it that answers by rules, in OpenAI’s protocol. The bare library is a session of \`@livekit/agents\` for each conversation, with the same settings and tools, which is told what the worker’s agent was told; the worker also reads the configuration, keeps a trace, plays the tools and the clock, checks what is expected, and asks the model who has answered the phone. That is ${show(added)} ms for each answer. Memory of the process at the end: ${show(memory_mib)} MiB. Pipecat 1.14.0’s own evals (\`pipecat.evals\`, the library of \`pipecat eval run\`) hold them with \`bench/baselines/pipecat/eval_agent.py\`, a text pipeline of its aggregators and OpenAI service, each in a process of its own over a WebSocket, so that they can use both cores: every conversation connects anew and builds its pipeline, as theirs do, begins with the context that needs no model, and has to call what the worker’s agent called and to say its words; its tools answer at once with what they answered then, while nobody is asked who has answered the phone, no clock, silence or cost is played, no world is kept, and no judge is asked. The command in the last line starts a sandbox, which holds the suite by rules, each scenario in a process of its own, and ends it.

${table(
  ['', 'seconds', 'CPU seconds', 'ms an answer', 'requests to the model', 'CPU ms a request'],
  (['rules', 'worker', 'bare', 'pipecat'] as const).map((by) => [
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
  const python = preparePipecat();
  const program = (file: string, ...args: string[]) =>
    startProgram([process.execPath, path.join(WORKER_DIR, 'bench', file), ...args], { showErrors: true });
  const model = program('model.ts');
  try {
    const url = await model.until((output) => /^http\S+/.exec(output)?.[0]);
    const holding = program('scenarios.ts', url, String(CONVERSATIONS), String(ROUNDS), python);
    const line = await holding.until((output) => /^\{.*\}$/m.exec(output)?.[0], PATIENCE_MS);
    await holding.exit;
    return JSON.parse(line) as Figures;
  } finally {
    await model.end('SIGKILL');
  }
}

/** The whole command, as somebody types it who has a clone and no account. */
async function suiteSeconds(): Promise<number> {
  const begun = performance.now();
  const command = startProgram(SUITE.split(' '), { cwd: ROOT });
  if ((await command.exit) !== 0) throw new Error(command.output());
  return (performance.now() - begun) / 1_000;
}

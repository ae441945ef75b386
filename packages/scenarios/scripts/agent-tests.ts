/**
 * `npm run agent-tests`: has a service hold the conversations of scenario files with an agent, or holds them here, by
 * rules or with the agent's language model, and checks what they expect. Also built as one file, which services offer.
 */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readScenario } from '../src/read.ts';
import { hashOf, type ScenarioResult, summarize, toJUnit, toMarkdown } from '../src/report.ts';
import { createRulesAgent } from '../src/rules-agent.ts';
import { type MakeAgent, type Minds, type RunResult, runScenario } from '../src/run.ts';
import type { Scenario } from '../src/schema.ts';
import { formatScenario } from '../src/write.ts';
import { createAgents, createAgentsInService } from './agents.ts';
import {
  checkOptions,
  from,
  inFolder,
  isByService,
  modeAsked,
  positionals,
  refuse,
  runsAsked,
  serviceAsked,
  timeoutAsked,
  USAGE,
  values,
  versionAsked,
  wantedRuns,
} from './arguments.ts';
import { createBase } from './base.ts';
import { LABELS, leastOf, measureJudge, showMeasured, votesOf } from './judge-labels.ts';
import { createModels } from './models.ts';
import { startOwnService } from './own-service.ts';
import { type Asked, runByService } from './service-runs.ts';
import { createProgress, show, tableOf } from './show.ts';
import { createStop, Stopped } from './stop.ts';

type Agents = ReturnType<typeof createAgents>;
type AgentsInService = ReturnType<typeof createAgentsInService>;
type Models = Awaited<ReturnType<typeof createModels>> | null;
type Placed = Omit<Asked, 'agent'>;
type Tell = (placed: Placed, runs: RunResult[]) => void;
/** Names for what has answered: a `sandbox` is a service without models. */
type HeldBy = 'rules' | 'models' | 'service' | 'sandbox';

const SIMULATED = "The service is a sandbox: rules answered in place of the agents' models.";
/** The user of a service that is started for the tests. */
const OWN_USER = 'agent-tests';

if (values.help) console.log(USAGE);
else await main().catch(giveUp);

function giveUp(error: Error): void {
  console.error(error.message);
  process.exitCode = error instanceof Stopped ? error.exit : 2;
}

async function main(): Promise<void> {
  checkOptions();
  if (values['judge-labels']) return measure();
  const files = filesIn(positionals);
  if (files.length === 0) refuse(`There are no scenarios to run.\n\n${USAGE}`);
  const placed = readAll(files);
  if (values.format) {
    for (const { text, file } of placed) writeFileSync(inFolder(file), formatScenario(text));
    return;
  }
  const base = values.base === undefined ? () => null : createBase(inFolder(values.base));
  const results = new Map<Placed, ScenarioResult>();
  const tell: Tell = (one, runs) => {
    const { file, scenario } = one;
    const { scenario: name, critical = false } = scenario;
    const result = summarize({ name, file, critical, base: base({ name, file }) }, runs);
    results.set(one, result);
    show(result);
  };
  const heldBy = await (isByService() ? holdInService : holdHere)(placed, tell);
  finish(
    placed.flatMap((one) => results.get(one) ?? []),
    heldBy,
  );
}

/** In this process, by rules or with the agents' own models. */
async function holdHere(placed: readonly Placed[], tell: Tell): Promise<HeldBy> {
  const agents = agentsAsked();
  const mode = modeAsked();
  const models = mode && (await createModels(mode));
  for (const one of placed) tell(one, await runHere(one, agents, models));
  return models ? 'models' : 'rules';
}

/** By the service at --url, or by one that is started for it, with the models that these have. */
async function holdInService(placed: readonly Placed[], tell: Tell): Promise<HeldBy> {
  const signal = createStop(timeoutAsked());
  const own = values.start ? await startOwnService(signal) : null;
  const service = own ? { url: own.url, key: null, user: OWN_USER } : serviceAsked();
  const file = values.agent === undefined ? null : inFolder(values.agent);
  try {
    const agents = createAgentsInService({ file, service, version: versionAsked(), hasTemplates: own !== null });
    // One that was started takes its agents with it.
    return await askService(placed, agents, signal, tell).finally(() => (own ? null : agents.close()));
  } finally {
    await own?.stop();
  }
}

async function askService(placed: readonly Placed[], agents: AgentsInService, signal: AbortSignal, tell: Tell) {
  const asked: Asked[] = [];
  for (const one of placed) {
    signal.throwIfAborted();
    asked.push({ ...one, agent: await agents.find(one.scenario).catch(namedBy(one)) });
  }
  const progress = createProgress();
  const onProgress = (done: number) => progress.tell(done, placed.length);
  const runs = runsAsked();
  const all = await runByService(agents.switchboard, asked, { runs, signal, onProgress }).finally(progress.clear);
  for (const [at, one] of placed.entries()) tell(one, all.held.get(asked[at] as Asked) ?? []);
  return all.isSimulated ? 'sandbox' : 'service';
}

/** Says which file an error is about. */
function namedBy({ file }: Pick<Placed, 'file'>) {
  return (error: Error) => refuse(`${file} ${error.message}`);
}

/** Measures the judge instead of an agent. */
async function measure(): Promise<void> {
  const [votes, least] = [votesOf(values.votes), leastOf(values['min-agreement'])];
  const files = filesIn(positionals.length > 0 ? positionals : [path.relative(from, LABELS)]);
  const models = await createModels(modeAsked());
  const measured = await measureJudge(files, { agents: agentsAsked(), models, votes }, inFolder);
  console.log(showMeasured(measured));
  if (values.json !== undefined) writeFileSync(inFolder(values.json), `${JSON.stringify(measured, null, 2)}\n`);
  const { agreement } = measured.agreement;
  if (agreement !== null && agreement >= least) return;
  console.log(`\nLess than ${least} is judged as it is labelled.`);
  process.exitCode = 1;
}

function agentsAsked(): Agents {
  return createAgents({
    file: values.agent === undefined ? null : inFolder(values.agent),
    service: serviceAsked(),
    version: versionAsked(),
  });
}

async function runHere({ scenario, file }: Placed, agents: Agents, models: Models): Promise<RunResult[]> {
  const config = await agents.configOf(scenario).catch(namedBy({ file }));
  const { save, make, ...minds } = models?.agentOf(scenario, config, inFolder(file)) ?? byRules(scenario, config);
  const runs = await runAll(scenario, make, minds);
  save();
  return runs;
}

/** Files as they were given, and those in folders, without duplicates. */
function filesIn(given: readonly string[]): string[] {
  const found = given.flatMap((name) => {
    const at = inFolder(name);
    if (!statSync(at, { throwIfNoEntry: false })) refuse(`${name} does not exist.`);
    if (!statSync(at).isDirectory()) return [name];
    return globSync('**/*.{yaml,yml,json}', { cwd: at })
      .filter((file) => !/\.(agent|cassette)\.json$/.test(file))
      .sort()
      .map((file) => path.join(name, file));
  });
  return [...new Set(found)];
}

/** Refuses all that cannot be read, at once. */
function readAll(files: readonly string[]) {
  const read = files.map((file) => {
    const text = readFileSync(inFolder(file), 'utf8');
    return { file, text, ...readScenario(text) };
  });
  const problems = read.flatMap(({ file, problems }) =>
    problems.map(({ line, column, path: place, message }) => `${file}:${line}:${column} ${place} ${message}`),
  );
  if (problems.length > 0) refuse(problems.join('\n'));
  return read.flatMap(({ file, text, scenario }) => (scenario ? [{ file, text, scenario }] : []));
}

function byRules(scenario: Scenario, config: Record<string, unknown>) {
  const make: MakeAgent = (around) => createRulesAgent(config, scenario.variables ?? {}, around);
  return { make, save: () => {} };
}

async function runAll(scenario: Scenario, make: MakeAgent, minds: Minds): Promise<RunResult[]> {
  const wanted = wantedRuns(scenario);
  const runs: RunResult[] = [];
  // Many conversations are the same, and are kept once.
  const seen = new Map<string, RunResult>();
  for (let at = 0; at < wanted; at++) {
    const run = await runScenario(scenario, make, minds);
    if (!seen.has(run.hash)) seen.set(run.hash, run);
    runs.push(seen.get(run.hash) ?? run);
  }
  return runs;
}

function finish(results: readonly ScenarioResult[], heldBy: HeldBy): void {
  const hash = hashOf(results);
  const note = heldBy === 'sandbox' ? SIMULATED : null;
  if (values.junit !== undefined) writeFileSync(inFolder(values.junit), toJUnit(results));
  if (values.markdown !== undefined) writeFileSync(inFolder(values.markdown), toMarkdown(results, note));
  if (values.json !== undefined)
    writeFileSync(inFolder(values.json), `${JSON.stringify({ hash, held_by: heldBy, scenarios: results }, null, 2)}\n`);
  const failed = results.filter(({ verdict }) => verdict !== 'passed').length;
  console.log(`\n${tableOf(results)}\n`);
  if (note) console.log(note);
  console.log(`${results.length - failed} of ${results.length} scenarios passed. Report ${hash.slice(0, 12)}.`);
  process.exitCode = failed > 0 ? 1 : 0;
}

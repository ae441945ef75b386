/**
 * `npm run agent-tests`: holds the conversations of scenario files with an agent, by rules or with its language model,
 * and checks what they expect. Exits with 0 if all passed, 1 if one did not, 2 if they could not be run.
 */
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs, styleText } from 'node:util';
import type { TapeMode } from '../src/cassette/tape.ts';
import { readScenario } from '../src/read.ts';
import { hashOf, problemsOf, rateOf, type ScenarioResult, summarize, toJUnit, toMarkdown } from '../src/report.ts';
import { createRulesAgent } from '../src/rules-agent.ts';
import { type MakeAgent, type Minds, type RunResult, runScenario } from '../src/run.ts';
import type { Scenario } from '../src/schema.ts';
import { formatScenario } from '../src/write.ts';
import { createAgents } from './agents.ts';
import { createBase } from './base.ts';
import { LABELS, leastOf, measureJudge, showMeasured, votesOf } from './judge-labels.ts';
import { createModels } from './models.ts';
import { runByService } from './service-runs.ts';

const USAGE = `Tests an agent with scenarios: conversations, and what must be true of them.

npm run agent-tests -- [options] FILES OR FOLDERS
    --agent FILE        the agent: a file that the console has exported
    --url URL           the service that has the agents that scenarios name (SWITCHBOARD_URL)
    --key KEY           its API key (SWITCHBOARD_API_KEY)
    --user ID           whose agents they are
    --version NUMBER    the version to test, or draft
    --runs NUMBER       runs of each scenario, instead of those that it asks for
    --record            asks the agents' own models, and keeps their answers beside each scenario (NAME.cassette.json)
    --replay            answers with those, without a key or a network: fails where a request was never recorded
    --base FILE         a report of --json, of runs that were right: what has regressed since?
    --junit FILE        writes the results for CI servers
    --json FILE         writes everything: each conversation, each check
    --markdown FILE     writes a summary for people
    --format            writes the files anew, in the format's own layout, and runs nothing

npm run agent-tests -- --judge-labels [options] [FILES OR FOLDERS]
    measures the judge of scenarios by labelled examples: those of the templates, or of your own files. The model is that
    of the agent (--agent FILE, or --url with --key and --user); --record, --replay and --json are as above
    --votes NUMBER      votes on each example
    --min-agreement N   exits with 1 if less than this part, such as 0.9, is judged as it is labelled

A scenario names its agent by id, by its external key, or by the key of a template; see docs/agent-tests.md.
Rules answer in place of a language model: the same conversation on every machine, without a key. With --record and
--replay the agent's model does, by the worker's variables (OPENAI_API_KEY, MODEL_BASE_URLS, PRICES_FILE and so on).
Scenarios with "mode: audio" or "mode: phone" are held by a worker of the service at --url, which keeps them by their names.`;

type Agents = ReturnType<typeof createAgents>;
type Models = Awaited<ReturnType<typeof createModels>> | null;
type Placed = { scenario: Scenario; file: string };

/** Runs of one scenario: more than a file may ask for, to show that an agent always passes. */
const MAX_RUNS = 1000;

/** Options that only one of the two knows: the other would ignore them. */
const FOR_SCENARIOS = ['runs', 'base', 'junit', 'markdown', 'format'] as const;
const FOR_LABELS = ['votes', 'min-agreement'] as const;

const { values, positionals } = readArguments();
// npm runs scripts in the repository, whatever folder they are called from.
const from = process.env.INIT_CWD ?? process.cwd();
const inFolder = (file: string) => path.resolve(from, file);

if (values.help) console.log(USAGE);
else await main().catch((error: Error) => refuse(error.message));

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        agent: { type: 'string' },
        url: { type: 'string' },
        key: { type: 'string' },
        user: { type: 'string' },
        version: { type: 'string' },
        runs: { type: 'string' },
        record: { type: 'boolean' },
        replay: { type: 'boolean' },
        base: { type: 'string' },
        junit: { type: 'string' },
        json: { type: 'string' },
        markdown: { type: 'string' },
        format: { type: 'boolean' },
        'judge-labels': { type: 'boolean' },
        votes: { type: 'string' },
        'min-agreement': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return refuse(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

async function main(): Promise<void> {
  if (values.record && values.replay) refuse('--record and --replay do not go together.');
  const isJudge = values['judge-labels'] === true;
  const foreign = (isJudge ? FOR_SCENARIOS : FOR_LABELS).find((name) => values[name] !== undefined);
  if (foreign) refuse(`--${foreign} does not go ${isJudge ? 'with' : 'without'} --judge-labels.`);
  if (isJudge) return measure();
  const files = filesIn(positionals);
  if (files.length === 0) refuse(`There are no scenarios to run.\n\n${USAGE}`);
  if (values.format) {
    for (const { scenario: _, text, file } of readAll(files)) writeFileSync(inFolder(file), formatScenario(text));
    return;
  }
  const agents = agentsAsked();
  const base = values.base === undefined ? () => null : createBase(inFolder(values.base));
  const mode = modeAsked();
  const models = mode && (await createModels(mode));
  const results: ScenarioResult[] = [];
  for (const { scenario, file, text } of readAll(files)) {
    // A worker of the service has the media server, and the SIP bridge, that others need.
    const agent = isByVoice(scenario) && !models ? await agents.inService(scenario) : null;
    const { switchboard } = agents;
    const runs =
      agent && switchboard
        ? await runByService(switchboard, { scenario, text, agent, runs: wantedRuns(scenario) })
        : await runHere({ scenario, file }, agents, models);
    const { scenario: name, critical = false } = scenario;
    const result = summarize({ name, file, critical, base: base({ name, file }) }, runs);
    results.push(result);
    show(result);
  }
  finish(results);
}

function isByVoice({ mode }: Scenario): boolean {
  return mode === 'audio' || mode === 'phone';
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
  const { url, key, user } = { url: process.env.SWITCHBOARD_URL, key: process.env.SWITCHBOARD_API_KEY, ...values };
  return createAgents({
    file: values.agent === undefined ? null : inFolder(values.agent),
    service: url === undefined ? null : { url, key: key ?? null, user: user ?? null },
    version: versionOf(values.version),
  });
}

function modeAsked(): TapeMode | null {
  return values.record ? 'record' : values.replay ? 'replay' : null;
}

/** In this process, by rules or with the agent's own model. */
async function runHere({ scenario, file }: Placed, agents: Agents, models: Models): Promise<RunResult[]> {
  const config = await agents.configOf(scenario).catch((error: Error) => refuse(`${file} ${error.message}`));
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

function versionOf(text: string | undefined): number | 'draft' | null {
  if (text === undefined) return null;
  if (text === 'draft') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) refuse(`--version must be a number or draft, not ${text}.`);
  return Number(text);
}

function byRules(scenario: Scenario, config: Record<string, unknown>) {
  const make: MakeAgent = (around) => createRulesAgent(config, scenario.variables ?? {}, around);
  return { make, save: () => {} };
}

function wantedRuns(scenario: Scenario): number {
  const wanted = values.runs === undefined ? (scenario.runs ?? 1) : Number(values.runs);
  if (!Number.isInteger(wanted) || wanted < 1 || wanted > MAX_RUNS) refuse(`--runs must be 1 to ${MAX_RUNS}.`);
  return wanted;
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

function show(result: ScenarioResult): void {
  const isPassed = result.verdict === 'passed';
  const mark = isPassed ? styleText('green', 'passed   ') : styleText('red', result.verdict.padEnd(9));
  const { passed, failed, invalid, base } = result;
  const counts = base || passed + failed + invalid > 1 ? styleText('dim', `  ${rateOf(result)}`) : '';
  console.log(`${mark}  ${result.name}${counts}`);
  if (!isPassed) for (const problem of problemsOf(result)) console.log(styleText('dim', `             ${problem}`));
}

function finish(results: readonly ScenarioResult[]): void {
  const hash = hashOf(results);
  if (values.junit !== undefined) writeFileSync(inFolder(values.junit), toJUnit(results));
  if (values.markdown !== undefined) writeFileSync(inFolder(values.markdown), toMarkdown(results));
  if (values.json !== undefined)
    writeFileSync(inFolder(values.json), `${JSON.stringify({ hash, scenarios: results }, null, 2)}\n`);
  const failed = results.filter(({ verdict }) => verdict !== 'passed').length;
  console.log(`\n${results.length - failed} of ${results.length} scenarios passed. Report ${hash.slice(0, 12)}.`);
  process.exitCode = failed > 0 ? 1 : 0;
}

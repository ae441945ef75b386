import path from 'node:path';
import { parseArgs } from 'node:util';
import type { TapeMode } from '../src/cassette/tape.ts';
import type { Scenario } from '../src/schema.ts';
import { IS_BUNDLE } from './bundle.ts';

const COMMAND = IS_BUNDLE ? 'node agent-tests.mjs' : 'npm run agent-tests --';

/** A part of the usage that needs the worker, or the service, of a clone. */
const inClone = (text: string): string => (IS_BUNDLE ? '' : text);

export const USAGE = `Tests an agent with scenarios: conversations, and what must be true of them.

${COMMAND} [options] FILES OR FOLDERS
    --agent FILE        the agent: a file that the console has exported
    --url URL           the service that holds the conversations, with its agents (SWITCHBOARD_URL)
    --key KEY           its API key (SWITCHBOARD_API_KEY)
    --user ID           whose agents they are
    --version NUMBER    the version to test, or draft
    --runs NUMBER       runs of each scenario, instead of those that it asks for
    --timeout SECONDS   cancels what the service has not done by then; an hour without it
    --rules             holds the conversations here, by rules: as without a service
${inClone(`    --start             starts a service for the time of the tests, a sandbox, and has it hold them
    --record            asks the agents' own models, and keeps their answers beside each scenario (NAME.cassette.json)
    --replay            answers with those, without a key or a network: fails where a request was never recorded
`)}    --base FILE         a report of --json, of runs that were right: what has regressed since?
    --junit FILE        writes the results for CI servers
    --json FILE         writes everything: each conversation, each check
    --markdown FILE     writes a summary for people
    --format            writes the files anew, in the format's own layout, and runs nothing
${inClone(`
${COMMAND} --judge-labels [options] [FILES OR FOLDERS]
    measures the judge of scenarios by labelled examples: those of the templates, or of your own files. The model is that
    of the agent (--agent FILE, or --url with --key and --user); --record, --replay and --json are as above
    --votes NUMBER      votes on each example
    --min-agreement N   exits with 1 if less than this part, such as 0.9, is judged as it is labelled
`)}
A scenario names its agent by id, by its external key, or, without --url, by the key of a template; see
docs/agent-tests.md. With --url the service holds the conversations, with the models of the agent, in as few test runs as possible, and
saves none of the scenarios; the agent of --agent FILE is added to the service for the time of the run. Without it rules
answer in place of a language model: the same conversation on every machine, without a key.${inClone(` With --record and --replay
the agent's model does, by the worker's variables (OPENAI_API_KEY, MODEL_BASE_URLS, PRICES_FILE and so on).`)}

Exits with 0 if all passed, 1 if one did not, 2 if they could not be run, 3 on --timeout,
and 128 plus its number on a signal (SIGHUP, SIGINT, SIGTERM).`;

/** Runs of one scenario: more than a file may ask for, to show that an agent always passes. */
const MAX_RUNS = 1000;
/** The same in a service. */
const MAX_RUNS_IN_SERVICE = 100;
const MAX_TIMEOUT_S = 86_400;
const TIMEOUT_S = 3600;

/** Options that only one of the two knows: the other would ignore them. */
const FOR_SCENARIOS = ['runs', 'base', 'junit', 'markdown', 'format', 'rules', 'start', 'timeout'] as const;
const FOR_LABELS = ['votes', 'min-agreement'] as const;
/** Options that need the worker, or the service, of a clone. */
const OF_CLONES = ['record', 'replay', 'start', 'judge-labels'] as const;
/** Ways of holding conversations, of which one is taken. */
const WAYS = ['record', 'replay', 'rules', 'start'] as const;

export const { values, positionals } = readArguments();
// npm runs scripts in the repository, whatever folder they are called from.
export const from = (IS_BUNDLE ? undefined : process.env.INIT_CWD) ?? process.cwd();
export const inFolder = (file: string) => path.resolve(from, file);

/** Ends the command: it could not be run. */
export function refuse(message: string): never {
  throw new Error(message);
}

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
        timeout: { type: 'string' },
        rules: { type: 'boolean' },
        start: { type: 'boolean' },
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
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    return process.exit(2);
  }
}

/** Refuses options that do not go together, one of which would be ignored. */
export function checkOptions(): void {
  const isJudge = values['judge-labels'] === true;
  const alone = IS_BUNDLE ? OF_CLONES.find((name) => values[name]) : undefined;
  if (alone) refuse(`--${alone} needs a clone of Switchboard: this file has neither its worker nor its service.`);
  const [one, other] = WAYS.filter((name) => values[name]);
  if (other) refuse(`--${one} and --${other} do not go together.`);
  const foreign = (isJudge ? FOR_SCENARIOS : FOR_LABELS).find((name) => values[name] !== undefined);
  if (foreign) refuse(`--${foreign} does not go ${isJudge ? 'with' : 'without'} --judge-labels.`);
  if (values.agent !== undefined && values.version !== undefined)
    refuse('--version does not go with --agent: the file is the version that is tested.');
  if (values.start && values.url !== undefined) refuse('--start does not go with --url.');
  if (isByService()) checkService();
  else if (values.timeout !== undefined) refuse('--timeout needs --url or --start: nothing else waits for anybody.');
  // Each refuses what it cannot read.
  for (const read of [runsAsked, versionAsked, timeoutAsked]) read();
}

function checkService(): void {
  const { user } = values;
  if (values.agent === undefined || values.start || user !== undefined) return;
  refuse('--agent with a service needs --user, whose agent it is for the time of the run; or --rules, to ask none.');
}

/** Whether a service holds the conversations: with its models, workers and rules. */
export function isByService(): boolean {
  if (values['judge-labels'] || values.rules || modeAsked()) return false;
  return values.start === true || serviceAsked() !== null;
}

export function serviceAsked(): { url: string; key: string | null; user: string | null } | null {
  const { url, key, user } = { url: process.env.SWITCHBOARD_URL, key: process.env.SWITCHBOARD_API_KEY, ...values };
  return url ? { url, key: key || null, user: user ?? null } : null;
}

/** Whether answers of models are recorded, or replayed; null for neither. */
export function modeAsked(): TapeMode | null {
  return values.record ? 'record' : values.replay ? 'replay' : null;
}

export function versionAsked(): number | 'draft' | null {
  const { version: text } = values;
  if (text === undefined) return null;
  if (text === 'draft') return text;
  if (!/^[1-9]\d{0,8}$/.test(text)) refuse(`--version must be a number or draft, not ${text}.`);
  return Number(text);
}

/** How often each scenario is run; undefined if each says so itself. */
export function runsAsked(): number | undefined {
  return wholeNumber('runs', isByService() ? MAX_RUNS_IN_SERVICE : MAX_RUNS);
}

export function wantedRuns(scenario: Scenario): number {
  return runsAsked() ?? scenario.runs ?? 1;
}

/** Seconds that a service may take. */
export function timeoutAsked(): number {
  return wholeNumber('timeout', MAX_TIMEOUT_S) ?? TIMEOUT_S;
}

function wholeNumber(name: 'runs' | 'timeout', max: number): number | undefined {
  const text = values[name];
  const given = Number(text);
  if (text === undefined) return undefined;
  if (!Number.isInteger(given) || given < 1 || given > max) refuse(`--${name} must be 1 to ${max}.`);
  return given;
}

/** `npm run agent-tests -- --judge-labels`: measures the judge of scenarios by labelled examples. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Agreement, agreementOf } from '../src/agreement.ts';
import { checkAll } from '../src/expect.ts';
import type { Judge } from '../src/judge.ts';
import { type Example, type LabelSet, readLabels } from '../src/labels.ts';
import type { Trace } from '../src/trace.ts';
import type { createAgents } from './agents.ts';
import type { createModels } from './models.ts';

/** The examples of the templates. */
export const LABELS = path.resolve(import.meta.dirname, '../labels');
const MAX_VOTES = 9;

/** An example, and what the judge says of it. */
interface Judgement extends Omit<Example, 'judged'> {
  file: string;
  judged: boolean | null;
  /** The votes, and a reason. */
  found: string;
}

interface Measured {
  /** As configurations name them. */
  models: string[];
  votes: number;
  agreement: Agreement;
  judgements: Judgement[];
}

interface Means {
  agents: ReturnType<typeof createAgents>;
  models: Awaited<ReturnType<typeof createModels>>;
  votes: number;
}

/** Has the judge decide each example, as an expectation of a scenario. Rejects if it cannot be asked. */
export async function measureJudge(
  files: readonly string[],
  { agents, models, votes }: Means,
  inFolder: (file: string) => string,
): Promise<Measured> {
  const names = new Set<string>();
  const judgements: Judgement[] = [];
  for (const { file, set } of readAll(files, inFolder)) {
    const { name: scenario, agent = {}, model, examples } = set;
    const config = await agents.configOf({ agent }).catch((error: Error) => {
      throw new Error(`${file} ${error.message}`);
    });
    const { judge, save } = models.agentOf({ scenario }, config, inFolder(file));
    names.add(nameOf(model ?? config.llm));
    try {
      for (const { judged, ...example } of examples) {
        const decided = await decide(example.claim, judged, { judge: judge ?? null, votes, ...(model && { model }) });
        judgements.push({ file, ...example, ...decided });
      }
    } finally {
      save();
    }
  }
  const undecided = judgements.every(({ judged }) => judged === null);
  if (undecided) throw new Error(`The judge has decided nothing. ${judgements[0]?.found}`);
  return { models: [...names], votes, agreement: agreementOf(judgements), judgements };
}

/** The claim as the expectation of a conversation, with the votes and the majority of one. */
async function decide(
  claim: string,
  judged: Example['judged'],
  { judge, ...how }: { judge: Judge | null; votes: number; model?: Record<string, unknown> },
): Promise<{ judged: boolean | null; found: string }> {
  const trace: Trace = { ...judged, error: null, world: {}, cost: null, duration_ms: 0 };
  const [check] = await checkAll([{ judge: claim, ...how }], trace, judge);
  const { outcome = 'undecided', found = '' } = check ?? {};
  return { judged: outcome === 'undecided' ? null : outcome === 'passed', found };
}

/** Refuses all that cannot be read, at once. */
function readAll(files: readonly string[], inFolder: (file: string) => string): { file: string; set: LabelSet }[] {
  const read = files.map((file) => ({ file, ...readLabels(readFileSync(inFolder(file), 'utf8')) }));
  const problems = read.flatMap(({ file, problems }) =>
    problems.map(({ line, column, path: place, message }) => `${file}:${line}:${column} ${place} ${message}`),
  );
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return read.flatMap(({ file, set }) => (set ? [{ file, set }] : []));
}

/** The model of a configuration, the first of a list. */
function nameOf(llm: unknown): string {
  const first: unknown = Array.isArray(llm) ? llm[0] : llm;
  const { provider, model } = (typeof first === 'object' && first !== null ? first : {}) as Record<string, unknown>;
  return [provider, model].filter(Boolean).join('/') || "the worker's default";
}

/** A number of votes. Throws if it is none. */
export function votesOf(text: string | undefined): number {
  const votes = Number(text ?? 1);
  if (!Number.isInteger(votes) || votes < 1 || votes > MAX_VOTES) throw new Error(`--votes must be 1 to ${MAX_VOTES}.`);
  return votes;
}

/** A rate that must be reached. Throws if it is none. */
export function leastOf(text: string | undefined): number {
  const least = Number(text ?? 0);
  if (text === '' || !(least >= 0 && least <= 1)) throw new Error('--min-agreement must be 0 to 1, as in 0.9.');
  return least;
}

const percent = (rate: number | null) => (rate === null ? 'none' : `${(100 * rate).toFixed(1)} %`);

/** The figures for people, and each example that is not judged as it is labelled. */
export function showMeasured({ models, votes, agreement: of, judgements }: Measured): string {
  const row = (...cells: (string | number)[]) =>
    cells.map((cell, at) => (at === 0 ? String(cell).padEnd(16) : String(cell).padStart(13))).join('');
  const { low, high } = of.interval;
  const asked = votes === 1 ? 'one vote' : `${votes} votes`;
  const others = judgements.filter(({ holds, judged }) => holds !== judged);
  return [
    `${of.examples} examples, ${asked} each, judged by ${models.join(', ')}`,
    '',
    row('', 'judged true', 'judged false', 'undecided'),
    row('labelled true', of.true_true, of.true_false, of.true_undecided),
    row('labelled false', of.false_true, of.false_false, of.false_undecided),
    '',
    `agreement      ${percent(of.agreement)} (${percent(low)} to ${percent(high)} at 95 %)`,
    `precision      ${percent(of.precision)}`,
    `recall         ${percent(of.recall)}`,
    `Cohen's kappa  ${of.kappa?.toFixed(3) ?? 'none'}`,
    '',
    `by language    ${countBy(judgements, 'language')}`,
    `by difficulty  ${countBy(judgements, 'how')}`,
    ...(others.length > 0 ? ['', 'Disagreements'] : []),
    ...others.flatMap(({ file, claim, language, how, holds, judged, found }) => [
      `  ${file}: ${claim} (${language}, ${how})`,
      `    labelled ${holds}, judged ${judged ?? 'undecided'}: ${found}`,
    ]),
  ].join('\n');
}

/** How many of each kind are judged as they are labelled. */
function countBy(judgements: readonly Judgement[], field: 'language' | 'how'): string {
  const kinds = Object.groupBy(judgements, (one) => one[field]);
  return Object.entries(kinds)
    .map(([kind, all = []]) => `${kind} ${all.filter(({ holds, judged }) => holds === judged).length} of ${all.length}`)
    .join(', ');
}

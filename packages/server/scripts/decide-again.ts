// Makes the decisions again that evidence certifies, from what the document itself has: without a database.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { evaluate, type Inputs, type Verdict } from '../src/calling/policies/evaluate.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `npm run decide-again -- FILE…    makes the decisions of evidence again, from the inputs and the rules in it

Files are evidence as GET /api/calls/{call_id}/evidence and GET /api/dial-decisions/{decision_id}/evidence return it:
verify them first, with npx switchboard verify, which compares signatures, the chain and hashes of inputs. This command
compares none of these, but outcome, not_before, and the rules of the reasons; no service and no database is asked.

Fails with 1 if a decision comes out otherwise, and with 2 if all others agree but one cannot be made again.`;

const KINDS = ['switchboard.call-evidence', 'switchboard.decision-evidence'];
/** Formats of inputs that this release reads; those of earlier releases have none, and the same members. */
const FORMATS: unknown[] = [undefined, 2];

type Rules = NonNullable<Inputs['policy']>['rules'];
type Named = { name: string; version: number | null };

/** A decision of a document. */
interface Decided {
  id: string;
  outcome: string;
  not_before: string | null;
  reasons: { rule: string }[];
  inputs: Omit<Inputs, 'policy'> & { format?: unknown; policy: Named | null };
}

interface Document {
  decisions: Decided[];
  policies: (Named & { rules: Rules })[];
}

/** A decision that cannot be made again; the message says why. */
class Undecidable extends Error {}

function read(file: string): Document {
  const { kind, format, decisions, decision, policies } = JSON.parse(readFileSync(file, 'utf8')) ?? {};
  const all = decision ? [decision] : decisions;
  if (!KINDS.includes(kind) || format !== 1 || !Array.isArray(all))
    throw new Error(`${file} is no evidence of a call or a decision, or of a later format.`);
  return { decisions: all, policies };
}

/** The policy with its rules: inputs name its version, and the document has the rules beside them. */
function policyOf(named: Named | null, policies: Document['policies']): Inputs['policy'] {
  if (named === null) return null;
  const { name, version } = named;
  // One that was named, and did not exist.
  if (version === null) return { name, version, rules: null };
  const rules = policies.find((one) => one.name === name && one.version === version)?.rules;
  if (!rules) throw new Undecidable(`the rules of version ${version} of the policy ${name} are not in the document`);
  return { name, version, rules };
}

/** Throws `Undecidable`. */
function again({ inputs: { format, policy: named, ...inputs } }: Decided, policies: Document['policies']): Verdict {
  if (!FORMATS.includes(format)) throw new Undecidable(`its inputs are of the format ${JSON.stringify(format)}`);
  const policy = policyOf(named, policies);
  try {
    return evaluate({ ...inputs, policy });
  } catch (error) {
    // A zone that this Node.js does not know, or inputs that no service has written.
    throw new Undecidable((error as Error).message);
  }
}

const show = (value: unknown): string => (value === null || value === '' ? 'none' : String(value));

/** What differs, in words. */
function differences(decided: Decided, verdict: Verdict): string[] {
  const compared = [
    ['outcome', decided.outcome, verdict.outcome],
    ['not_before', decided.not_before, verdict.not_before?.toISOString() ?? null],
    ['rules of the reasons', rulesOf(decided.reasons), rulesOf(verdict.reasons)],
  ] as const;
  return compared
    .filter(([, said, found]) => said !== found)
    .map(([what, said, found]) => `${what}: the document has ${show(said)}, and the rules give ${show(found)}`);
}

const rulesOf = (reasons: { rule: string }[]): string => reasons.map(({ rule }) => rule).join(', ');

/** The exit code for a decision, after a line about it. */
function compare(decided: Decided, policies: Document['policies'], file: string): number {
  const { id, outcome, not_before, reasons, inputs } = decided;
  const name = `${file}: decision ${id}`;
  try {
    const found = differences(decided, again(decided, policies));
    for (const difference of found) console.error(`${name} DIFFERS. ${difference}.`);
    if (found.length > 0) return 1;
    const why = reasons.length > 0 ? ` (${rulesOf(reasons)})` : '';
    const until = not_before === null ? '' : ` until ${not_before}`;
    console.log(`${name} agrees: ${outcome}${until}${why}, ${inputs.kind} at ${inputs.at}.`);
    return 0;
  } catch (error) {
    if (!(error instanceof Undecidable)) throw error;
    console.error(`${name} cannot be decided again: ${error.message}.`);
    return 2;
  }
}

async function run(): Promise<void> {
  const { positionals: files, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return console.log(USAGE);
  if (files.length === 0) throw new UsageError('decide-again needs the files of evidence.');
  const codes = files.flatMap((file) => {
    const { decisions, policies } = read(file);
    if (decisions.length === 0) console.log(`${file}: nothing was decided.`);
    return decisions.map((decided) => compare(decided, policies, file));
  });
  process.exitCode = codes.includes(1) ? 1 : Math.max(0, ...codes);
}

runCommand(USAGE, run, () => undefined);

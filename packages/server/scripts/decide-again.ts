// Makes the decisions again that evidence certifies, from what the document itself has: without a database.
import { parseArgs } from 'node:util';
import { type Document, readDocuments } from '@switchboard/client/evidence-files';
import { type Evaluation, evaluate, type Inputs } from '../src/calling/policies/evaluate.ts';
import { canonicalNumber } from '../src/lib/phone.ts';
import { runCommand, UsageError } from './support/command.ts';

const USAGE = `npm run decide-again -- FILE…    makes the decisions of evidence again, from the inputs and the rules in it

Files are evidence as GET /api/calls/{call_id}/evidence and GET /api/dial-decisions/{decision_id}/evidence return it, or
as npx --no switchboard evidence writes it (*.ndjson). Verify them first, with npx --no switchboard verify, which compares
signatures, the chain and hashes of inputs. This command compares none of these, but outcome, not_before and the rules
of the reasons, and what a decision says of itself with its inputs. No service and no database is asked.

Fails with 1 if a decision comes out otherwise, and with 2 if all others agree but one cannot be made again, or a
file cannot be read or is no evidence.`;

const KINDS = ['switchboard.call-evidence', 'switchboard.decision-evidence'];
/** Formats of inputs that this release reads; those of earlier releases have none, and the same members. */
const FORMATS: unknown[] = [undefined, 2];

type Rules = NonNullable<Inputs['policy']>['rules'];
type Named = { name: string; version: number | null };

/** A decision of a document. */
interface Decided {
  id: string;
  call_id: string | null;
  kind: string;
  phone_number: string;
  purpose: string;
  policy: string | null;
  policy_version: number | null;
  evaluated_at: string;
  outcome: string;
  not_before: string | null;
  reasons: { rule: string }[];
  inputs: Omit<Inputs, 'policy'> & { format?: unknown; policy: Named | null };
}

interface Evidence {
  name: string;
  /** The call that it is about; undefined for the evidence of a decision. */
  call?: { call_id: string; direction: string; to_number: string | null };
  decisions: Decided[];
  policies: (Named & { rules: Rules })[];
}

/** A decision that cannot be made again; the message says why. */
class Undecidable extends Error {}

/** Throws `Undecidable`. */
function parse(name: string, bytes: Buffer): Evidence {
  const { kind, format, call, decisions, decision, policies } = asObject(bytes);
  const all = decision ? [decision] : decisions;
  const isKnown = KINDS.includes(kind) && format === 1;
  if (!isKnown || !Array.isArray(all) || all.some((one) => !one) || !Array.isArray(policies))
    throw new Undecidable(`${name} is no evidence of a call or a decision, or of a later format.`);
  return { name, call, decisions: all, policies };
}

function asObject(bytes: Buffer) {
  try {
    return JSON.parse(bytes.toString()) ?? {};
  } catch {
    return {};
  }
}

/** The policy with its rules: inputs name its version, and the document has the rules beside them. */
function policyOf(named: Named | null, policies: Evidence['policies']): Inputs['policy'] {
  if (named === null) return null;
  const { name, version } = named;
  // One that was named, and did not exist.
  if (version === null) return { name, version, rules: null };
  const rules = policies.find((one) => one.name === name && one.version === version)?.rules;
  if (!rules) throw new Undecidable(`the rules of version ${version} of the policy ${name} are not in the document`);
  return { name, version, rules };
}

/** Throws `Undecidable`. */
function again({ inputs: { format, policy: named, ...inputs } }: Decided, policies: Evidence['policies']): Evaluation {
  if (!FORMATS.includes(format)) throw new Undecidable(`its inputs are of the format ${JSON.stringify(format)}`);
  const policy = policyOf(named, policies);
  try {
    return evaluate({ ...inputs, policy });
  } catch (error) {
    // A zone that this Node.js does not know, or inputs that no service has written.
    throw new Undecidable((error as Error).message);
  }
}

type Compared = readonly [what: string, said: unknown, found: unknown];

const differing = (compared: readonly Compared[], source: string): string[] =>
  compared
    .filter(([, said, found]) => said !== found)
    .map(([what, said, found]) => `${what}: the document has ${show(said)}, and ${source} ${show(found)}`);
const show = (value: unknown): string => (value === null || value === '' ? 'none' : String(value));
const rulesOf = (reasons: { rule: string }[]): string => reasons.map(({ rule }) => rule).join(', ');

/** Words of a decision that its inputs or its call contradict. */
function contradictions({ inputs, ...decided }: Decided, call: Evidence['call']): string[] {
  const { kind, phone_number, purpose, evaluated_at, policy, policy_version } = decided;
  const ofInputs: Compared[] = [
    ['kind', kind, inputs.kind],
    ['phone_number', phone_number, inputs.phone_number],
    ['purpose', purpose, inputs.purpose],
    ['evaluated_at', evaluated_at, inputs.at],
    ['policy', policy, inputs.policy?.name ?? null],
    ['policy_version', policy_version, inputs.policy?.version ?? null],
  ];
  const ofCall: Compared[] = call ? [['call_id', decided.call_id, call.call_id]] : [];
  // The target of a transfer is not the number of its call.
  if (kind === 'call' && call?.direction === 'OUTBOUND' && call.to_number !== null)
    ofCall.push(['phone_number', phone_number, canonicalNumber(call.to_number)]);
  return [...differing(ofInputs, 'its inputs have'), ...differing(ofCall, 'its call has')];
}

/** Words of a decision that the rules contradict. Throws `Undecidable`. */
function differences(decided: Decided, policies: Evidence['policies']): string[] {
  const { outcome, not_before, reasons } = again(decided, policies);
  const compared: Compared[] = [
    ['outcome', decided.outcome, outcome],
    ['not_before', decided.not_before, not_before?.toISOString() ?? null],
    ['rules of the reasons', rulesOf(decided.reasons), rulesOf(reasons)],
  ];
  return differing(compared, 'the rules give');
}

/** The exit code for a decision, after a line about it. */
function compare(decided: Decided, { name: file, call, policies }: Evidence): number {
  const name = `${file}: decision ${decided.id}`;
  let contradicted: string[] = [];
  try {
    const { outcome, not_before, reasons, inputs } = decided;
    contradicted = contradictions(decided, call);
    for (const contradiction of contradicted) console.error(`${name} CONTRADICTS itself. ${contradiction}.`);
    const found = differences(decided, policies);
    for (const difference of found) console.error(`${name} DIFFERS. ${difference}.`);
    if (found.length + contradicted.length > 0) return 1;
    const why = reasons.length > 0 ? ` (${rulesOf(reasons)})` : '';
    const until = not_before === null ? '' : ` until ${not_before}`;
    console.log(`${name} agrees: ${outcome}${until}${why}, ${inputs.kind} at ${inputs.at}.`);
    return 0;
  } catch (error) {
    // Also a decision that lacks what every one has.
    console.error(`${name} cannot be decided again: ${(error as Error).message}.`);
    return contradicted.length > 0 ? 1 : 2;
  }
}

async function run(): Promise<void> {
  const { positionals: files, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) return console.log(USAGE);
  if (files.length === 0) throw new UsageError('decide-again needs the files of evidence.');
  const codes = new Set(files.flatMap((file) => [...compareFile(file)]));
  process.exitCode = codes.has(1) ? 1 : Math.max(0, ...codes);
}

/** The exit codes for the documents of a file. */
function compareFile(file: string): Set<number> {
  const codes = new Set<number>();
  try {
    for (const document of readDocuments(file)) for (const code of compareAll(document)) codes.add(code);
  } catch (error) {
    console.error(`${file}: ${(error as Error).message}.`);
    codes.add(2);
  }
  return codes;
}

/** The exit codes for the decisions of a document. */
function compareAll({ name, bytes }: Document): number[] {
  try {
    const document = parse(name, bytes);
    if (document.decisions.length === 0) console.log(`${name}: nothing was decided.`);
    return document.decisions.map((decided) => compare(decided, document));
  } catch (error) {
    if (!(error instanceof Undecidable)) throw error;
    console.error(error.message);
    return [2];
  }
}

runCommand(USAGE, run, () => undefined);

#!/usr/bin/env node
/** The command `switchboard`. */
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { createSwitchboard } from './client.ts';
import { SwitchboardError } from './errors.ts';
import { EvidenceError, type EvidenceKeys, type Link, linkOf, verifyChain, verifyDocument } from './evidence.ts';
import { type Document, readDocuments } from './evidence-files.ts';
import { collectEvidence } from './evidence-of-campaign.ts';

const KEYS_FILE = 'switchboard-evidence.json';
const USAGE = `switchboard verify FILE…                verifies evidence, as GET /api/calls/{call_id}/evidence
                                        and GET /api/dial-decisions/{decision_id}/evidence return it, or
                                        with one document per line if the name of a file ends with .ndjson
    --keys FILE                         the public keys of the service; ${KEYS_FILE} by default:
                                        get them once from https://…/.well-known/${KEYS_FILE}
switchboard evidence FILE.ndjson        adds the evidence of a campaign to the file: of all its calls, and of
                                        decisions by which nobody was called, except for what it has already
    --campaign ID                       the campaign
    --url URL                           the service (SWITCHBOARD_URL)
    --key KEY                           an API key (SWITCHBOARD_API_KEY)
    --user ID                           the user, for a key that is not bound to one (SWITCHBOARD_USER)

verify is offline. It fails if a byte of a document was changed, and if documents contradict each other: each names the
hash of the one before it. evidence fails if a document is missing: calls that have not ended, or that were erased.`;

class UsageError extends Error {}

const OPTIONS = {
  keys: { type: 'string' },
  campaign: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  user: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
type Values = ReturnType<typeof readArguments>['values'];

async function run(args: string[]): Promise<boolean> {
  const { positionals, values } = readArguments(args);
  const [command, ...files] = positionals;
  if (values.help || command === 'help') {
    console.log(USAGE);
    return true;
  }
  if (command === 'verify') return verifyFiles(files, values);
  if (command === 'evidence') return collect(files, values);
  throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function verifyFiles(files: string[], { keys: keysFile = KEYS_FILE }: Values): boolean {
  if (files.length === 0) throw new UsageError('verify needs the files to verify.');
  const keys = readKeys(keysFile);
  const links: Link[] = [];
  let invalid = 0;
  for (const file of files) {
    const found = checkFile(file, keys);
    invalid += found.filter((link) => link === null).length;
    for (const link of found) if (link) links.push(link);
  }
  const { problems, missing } = verifyChain(links);
  for (const problem of problems) console.error(problem);
  if (missing > 0) console.log(`Documents between them that are not here: ${missing}.`);
  return invalid === 0 && problems.length === 0;
}

function readKeys(file: string): EvidenceKeys {
  let keys: unknown;
  try {
    keys = JSON.parse(readFileSync(file, 'utf8')).keys;
  } catch (error) {
    throw new UsageError(`The public keys in ${file} cannot be read: ${(error as Error).message}`);
  }
  if (!Array.isArray(keys)) throw new UsageError(`${file} has no public keys.`);
  return { keys };
}

/** The documents of a file; null for each that is not valid, and for a file that cannot be read. */
function checkFile(file: string, keys: EvidenceKeys): (Link | null)[] {
  const found: (Link | null)[] = [];
  try {
    for (const document of readDocuments(file)) found.push(check(document, keys));
    return found;
  } catch (error) {
    console.error(`${file}: ${(error as Error).message}.`);
    return [...found, null];
  }
}

/** Null for a document that is not valid, after saying so. */
function check({ name, bytes }: Document, keys: EvidenceKeys): Link | null {
  try {
    const evidence = verifyDocument(bytes, keys);
    const { chain, issued_at, key_id } = evidence;
    const about = 'call' in evidence ? `Call ${evidence.call.call_id}` : `Decision ${evidence.decision.id}`;
    console.log(
      `${name}: valid. ${about}, number ${chain.position} of its user, issued at ${issued_at}, key ${key_id}.`,
    );
    return linkOf({ name, bytes, evidence });
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error;
    console.error(`${name}: NOT valid: ${error.message}.`);
    return null;
  }
}

async function collect(files: string[], { campaign, ...given }: Values): Promise<boolean> {
  const { SWITCHBOARD_URL, SWITCHBOARD_API_KEY, SWITCHBOARD_USER } = process.env;
  const { url = SWITCHBOARD_URL, key = SWITCHBOARD_API_KEY, user = SWITCHBOARD_USER } = given;
  const [file] = files;
  if (!file?.endsWith('.ndjson') || files.length > 1) throw new UsageError('evidence needs one file, NAME.ndjson.');
  if (!campaign || !url) throw new UsageError('evidence needs --campaign, and the address of the service.');
  const options = { baseUrl: url, ...(key && { apiKey: key }), ...(user && { userId: user }) };
  try {
    const found = await collectEvidence(createSwitchboard(options), campaign, file);
    console.log(`${file}: documents added: ${found.added}; already there: ${found.known}.`);
    if (found.call_not_ended > 0)
      console.error(`Calls that have not ended: ${found.call_not_ended}. Run the same command again when they have.`);
    if (found.not_found > 0)
      console.error(`Calls and decisions that were erased, or are not kept any more: ${found.not_found}.`);
    return found.call_not_ended + found.not_found === 0;
  } catch (error) {
    console.error((error as Error).message);
    if (error instanceof SwitchboardError && existsSync(file))
      console.error(`${file} keeps what it has: run the same command again to continue.`);
    return false;
  }
}

try {
  if (!(await run(process.argv.slice(2)))) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

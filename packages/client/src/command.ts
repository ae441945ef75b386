#!/usr/bin/env node
/** The command `switchboard`. It works offline. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EvidenceError, type EvidenceKeys, type Verified, verifyChain, verifyDocument } from './evidence.ts';

const KEYS_FILE = 'switchboard-evidence.json';
const USAGE = `switchboard verify FILE…                verifies evidence, as GET /api/calls/{call_id}/evidence
                                        and GET /api/dial-decisions/{decision_id}/evidence return it
    --keys FILE                         the public keys of the service; ${KEYS_FILE} by default:
                                        get them once from https://…/.well-known/${KEYS_FILE}

Fails if a byte of a file was changed, and if files contradict each other: each names the hash of the one before it.`;

class UsageError extends Error {}

function run(args: string[]): boolean {
  const { positionals, values } = readArguments(args);
  const [command, ...files] = positionals;
  if (values.help || command === 'help') {
    console.log(USAGE);
    return true;
  }
  if (command !== 'verify') throw new UsageError(command ? `There is no command "${command}".` : 'Which command?');
  if (files.length === 0) throw new UsageError('verify needs the files to verify.');
  const keys = readKeys(values.keys ?? KEYS_FILE);
  const verified = files.flatMap((name) => check(name, keys) ?? []);
  const { problems, missing } = verifyChain(verified);
  for (const problem of problems) console.error(problem);
  if (missing > 0) console.log(`${missing} documents between them are not here.`);
  return verified.length === files.length && problems.length === 0;
}

function readArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { keys: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
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

/** Null for a file that is not valid, after saying so. */
function check(name: string, keys: EvidenceKeys): Verified | null {
  try {
    const bytes = readFileSync(name);
    const evidence = verifyDocument(bytes, keys);
    const { chain, issued_at, key_id } = evidence;
    const about = 'call' in evidence ? `Call ${evidence.call.call_id}` : `Decision ${evidence.decision.id}`;
    console.log(
      `${name}: valid. ${about}, number ${chain.position} of its user, issued at ${issued_at}, key ${key_id}.`,
    );
    return { name, bytes, evidence };
  } catch (error) {
    const why = error instanceof EvidenceError ? `NOT valid: ${error.message}` : (error as Error).message;
    console.error(`${name}: ${why}.`);
    return null;
  }
}

try {
  if (!run(process.argv.slice(2))) process.exitCode = 1;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

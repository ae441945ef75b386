// Requests that schemathesis makes up from the published description, valid and invalid, on both databases: every
// answer is one that is published, what is invalid is refused, what is valid is not.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { startPostgres } from './support/postgres.ts';
import { PROBED } from './support/probe.ts';
import { findSchemathesis, type Run, runSchemathesis } from './support/schemathesis.ts';
import { writeSection } from './support/section.ts';
import { startProcess } from './support/service.ts';

const EXAMPLES = process.env.SCHEMATHESIS_EXAMPLES ?? '40';
const SEED = '1';
/** A key of role service, which may do everything. */
const KEY = `sb_${randomBytes(32).toString('hex')}`;

/**
 * All of its checks but two. `unsupported_method`: a method that a path does not have is a 404 here and not a 405, by
 * the contract. `positive_data_acceptance` stands in `schemathesis_hooks.py`, less the rules that JSON Schema has no
 * words for.
 */
const OPTIONS = [
  ...['--checks', 'all', '--exclude-checks', 'unsupported_method,positive_data_acceptance'],
  ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', EXAMPLES, '--seed', SEED],
  ...['--header', 'x-user-id: user-1', '--header', `Authorization: Bearer ${KEY}`],
  // It ends when a call ends, which may be never here.
  ...['--exclude-path', '/api/calls/{call_id}/events'],
  ...['--generation-database', 'none', '--request-timeout', '20', '--warnings', 'off', '--continue-on-failure'],
];
const SETTINGS = {
  ...{ AUTH_MODE: 'required', BOOTSTRAP_KEY: KEY },
  ...{ CALLS_CONCURRENT: '100000', CALLS_PER_SECOND: '10000', CALLS_BURST: '100000', CALLS_PER_DAY: '10000000' },
  ...PROBED,
};

const bin = findSchemathesis();
const postgres = await startPostgres(25302);
after(() => postgres.remove());
const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
after(() => rmSync(dir, { recursive: true, force: true }));
const DATABASES = {
  PostgreSQL: { DATABASE_URL: await postgres.createDatabase('schemathesis') },
  'the embedded database': { DATA_DIR: dir },
};
const rows: string[] = [];

describe('whatever schemathesis makes up', { concurrency: true }, () => {
  for (const [kind, settings] of Object.entries(DATABASES)) {
    test(`is answered on ${kind} as it is published, and never by a failure`, async () => {
      const service = await startProcess({ ...SETTINGS, ...settings });
      try {
        judge(kind, await runSchemathesis(bin, service.url, OPTIONS));
        assert.doesNotMatch(service.output(), /"msg":"request failed"/);
      } finally {
        await service.end('SIGTERM');
      }
    });
  }
});

function judge(kind: string, { passed, output, operations, cases }: Run): void {
  assert.ok(passed, output);
  assert.ok(operations >= 38 && cases > 1000, output);
  rows.push(`| ${kind} | ${operations} | ${cases} | 0 |`);
}

after(() =>
  writeSection(
    5,
    'schemathesis',
    `## Inputs that schemathesis makes up

From the published description: examples, values at the edges, random ones, and sequences, valid and invalid, up to ${EXAMPLES} random
cases for each operation. Every answer had a status, headers and a body that are published; no invalid request was accepted, and no valid
one was refused but for rules that JSON Schema has no words for.

| Database | Operations | Requests | Failures |
| --- | --- | --- | --- |
${rows.join('\n')}`,
  ),
);

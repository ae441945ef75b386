// A campaign on two processes with wrong clocks, one or the other of which is killed again and again.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { freePort } from '@switchboard/testkit/ports.ts';
import { query, startPostgres } from '@switchboard/testkit/postgres.ts';
import { killPrograms } from '@switchboard/testkit/program.ts';
import { startReceiver } from '@switchboard/testkit/receiver.ts';
import { writeSection } from '@switchboard/testkit/section.ts';
import { table } from '@switchboard/testkit/table.ts';
import { readRecord } from './outreach/carrier-record.ts';
import { type Checked, check } from './outreach/checks.ts';
import { type Run, runUnderKills } from './outreach/kills.ts';
import { startTwo } from './outreach/two-services.ts';

const COUNT = Number(process.env.CAMPAIGN_RECIPIENTS ?? 300);
const KILLS = Number(process.env.CAMPAIGN_KILLS ?? 4);
const ENV = { SANDBOX_RING_MS: '300', RINGING_TIMEOUT_S: '2', DATABASE_POOL_MAX: '10' };

const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-campaigns-'));
const postgres = await startPostgres(await freePort(), { settings: ['track_commit_timestamp=on'] });
after(async () => {
  killPrograms();
  await postgres.remove();
  rmSync(dir, { recursive: true });
});

test('a campaign whose processes are killed in every phase calls nobody twice, and forgets nobody', async () => {
  const database = await postgres.createDatabase('campaigns');
  const record = path.join(dir, 'dialled');
  const receiver = await startReceiver();
  const two = await startTwo({ DATABASE_URL: database, DIAL_RECORD: record, ...ENV });
  const run = await runUnderKills(two, database, { count: COUNT, kills: KILLS, receiver: receiver.url });
  await eventually(
    () => query(database, `select from callbacks where status = 'pending'`),
    ({ length }) => length === 0,
    300_000,
  );
  const checked = await check(database, readRecord(record), run, receiver);
  await two.end();
  writeSection(12, 'campaigns', report(run, two.kills, checked));
  const none = Object.fromEntries(Object.keys(checked.wrong).map((name) => [name, 0]));
  assert.deepEqual(checked.wrong, none, JSON.stringify([two.kills, checked.figures]));
});

function report(run: Run, kills: Record<string, number>, { wrong, figures }: Checked): string {
  const total = Object.values(kills).reduce((sum, count) => sum + count, 0);
  const phases = Object.entries(kills).map(([phase, count]) => `${phase} ${count}`);
  return `## A campaign, killed

Two processes of the service on one PostgreSQL, the clock of one 5 s behind and of the other 5 s ahead, call ${run.people.length} people of the sandbox, of whom
some are busy, do not answer or hang up, some may only be called from a later minute on, some not at all, and some ask not to be called before
the start or meanwhile. One or the other process gets SIGKILL at a random moment ${total} times, and is started again: ${phases.join(', ')}.
Those of the dispatch and the retries are spread evenly over the people; towards the completion, both are killed at once, so that none is left to complete it. What was dialled was counted by the stand-in for the carrier, in a file.

${table(['', ''], [...figures, ['seconds from the start to the end', Math.round(run.seconds)]])}

${table(['Must be none', ''], Object.entries(wrong))}`;
}

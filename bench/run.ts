// Compares the service with alternatives, and writes docs/performance.md: `npm run bench`, or `npm run bench -- usage
// status` for some of its sections; the others stay. `BENCH_BEFORE=<checkout> npm run bench -- before` compares with an
// earlier release.
import { freePort } from '@switchboard/testkit/ports.ts';
import { startPostgres } from '@switchboard/testkit/postgres.ts';
import { prepareBaselines } from './baselines/prepare.ts';
import { agents } from './sections/agents.ts';
import { analyses } from './sections/analyses.ts';
import { auth } from './sections/auth.ts';
import { batch } from './sections/batch.ts';
import { before } from './sections/before.ts';
import { callbacks } from './sections/callbacks.ts';
import { calls } from './sections/calls.ts';
import { capacity } from './sections/capacity.ts';
import { cost } from './sections/cost.ts';
import { embedded } from './sections/embedded.ts';
import { encryption } from './sections/encryption.ts';
import { exports } from './sections/exports.ts';
import { failover } from './sections/failover.ts';
import { growth } from './sections/growth.ts';
import { listeners } from './sections/listeners.ts';
import { memory } from './sections/memory.ts';
import { policies } from './sections/policies.ts';
import { recording } from './sections/recording.ts';
import { redaction } from './sections/redaction.ts';
import { scenarios } from './sections/scenarios.ts';
import { start } from './sections/start.ts';
import { statistics } from './sections/statistics.ts';
import { status } from './sections/status.ts';
import { storage } from './sections/storage.ts';
import { transcripts } from './sections/transcripts.ts';
import { turns } from './sections/turns.ts';
import { usage } from './sections/usage.ts';
import { webhooks } from './sections/webhooks.ts';
import { type Bench, createBench } from './support/bench.ts';
import { lineTable, writePerformance } from './support/performance.ts';
import type { Section } from './support/report.ts';

const SECTIONS: Record<string, (bench: Bench) => Promise<Section>> = {
  usage,
  batch,
  transcripts,
  redaction,
  encryption,
  status,
  auth,
  growth,
  statistics,
  analyses,
  exports,
  webhooks,
  calls,
  policies,
  cost,
  callbacks,
  agents,
  scenarios,
  turns,
  failover,
  capacity,
  recording,
  storage,
  listeners,
  embedded,
  start,
  memory,
  before,
};
/** Only when asked for: it needs a checkout of an earlier release. */
const ON_REQUEST = ['before'];

const names = Object.keys(SECTIONS);
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${names.join(', ')}`);
const python = prepareBaselines();
const postgres = await startPostgres(await freePort());
const bench = createBench(postgres, python);
try {
  for (const name of names.filter((each) => (asked.length > 0 ? asked.includes(each) : !ON_REQUEST.includes(each)))) {
    const section = await SECTIONS[name]?.(bench).finally(() => bench.end());
    if (!section) continue;
    writePerformance(name, names, section);
    process.stdout.write(`\n${name}\n\n${lineTable(section.lines)}\n`);
  }
} finally {
  await bench.end();
  await postgres.remove();
}
// The native library of media rooms keeps a process running.
process.exit();

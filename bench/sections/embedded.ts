import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Bench } from '../support/bench.ts';
import { usageRequests } from '../support/inputs.ts';
import { writeRequests } from '../support/load.ts';
import { loadTable, ratio, type Section } from '../support/report.ts';
import { interleave } from '../support/rounds.ts';

const CONNECTIONS = 64;

/** `POST /api/usage/events` on the embedded database. */
export async function embedded(bench: Bench): Promise<Section> {
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  const contenders = [
    await bench.startService('Switchboard', { DATA_DIR: path.join(dir, 'a') }),
    await bench.startServer('a row a commit', 'unbatched.ts', { DATA_DIR: path.join(dir, 'b') }),
  ];
  const requests = writeRequests(usageRequests(20_000));
  const by = await interleave(contenders, CONNECTIONS, () => requests);
  await bench.end();
  requests.remove();
  rmSync(dir, { recursive: true });
  return {
    lines: [ratio('its own row a commit', by.Switchboard?.per_second ?? 0, by['a row a commit']?.per_second ?? 0, 5)],
    details: `${CONNECTIONS} connections. The embedded database does not force its writes to the disk.\n\n${loadTable(by)}`,
  };
}

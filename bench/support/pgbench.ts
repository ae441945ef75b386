import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { median } from '@switchboard/testkit/median.ts';

const ROUNDS = 3;
const ROUND_S = 4;

const NEW_EVENT = `gen_random_uuid(), 'call-' || :u || '-' || :c, 'user-' || :u, 'agent-' || :u || '-' || :a, 'openai', 'llm_tokens', :q,
  0.0000006, 0.0000006 * :q, now()`;
const DICE = `\\set u random(0, 199)
\\set c random(0, 24)
\\set a random(0, 1)
\\set q random(1, 3000)
`;

/** One row per commit, into a table with the indexes of usage events. */
export const A_ROW_A_COMMIT = `${DICE}insert into usage_events values (${oneLine(NEW_EVENT)});\n`;

/**
 * The rows that the service writes for an event, including rollups, one event per commit, into the service's own
 * tables.
 */
export const A_ROW_WITH_ROLLUPS = `${DICE}${oneLine(`with event as (
    insert into usage_events (id, session_id, user_id, agent_id, provider, event_type, quantity, unit_cost, total_cost, created_at)
    values (${NEW_EVENT}) returning *
  ), rolled_up as (
    insert into usage_rollups as rollup (user_id, day, agent_id, provider, event_type, recorded_on, quantity, total_cost, events)
    select user_id, (created_at at time zone 'UTC')::date, agent_id, provider, event_type, (created_at at time zone 'UTC')::date,
      quantity, total_cost, 1 from event
    on conflict (user_id, day, agent_id, provider, event_type, model, direction, recorded_on, agent_version) do update set quantity = rollup.quantity + excluded.quantity,
      total_cost = rollup.total_cost + excluded.total_cost, events = rollup.events + excluded.events
  ), first_seen as (
    insert into usage_agent_sessions select user_id, agent_id, session_id from event on conflict do nothing returning *
  ) insert into usage_agent_session_counts as known select user_id, agent_id, 1 from first_seen
    on conflict (user_id, agent_id) do update set sessions = known.sessions + 1`)};\n`;

/** The same, a thousand rows per commit. */
export const A_THOUSAND_ROWS = `${DICE}insert into usage_events select gen_random_uuid(), 'call-' || :u || '-' || i % 25, 'user-' || :u, 'agent-' || :u || '-' || i % 2, 'openai', 'llm_tokens', i, 0.0000006, 0.0000006 * i, now() from generate_series(1, 1000) as i;\n`;

/** Transactions per second of a script, the median of some rounds. */
export async function pgbench(url: string, script: string, connections: number): Promise<number> {
  const bin = path.join(path.dirname(globSync('/usr/lib/postgresql/*/bin/initdb').sort().at(-1) ?? ''), 'pgbench');
  const dir = mkdtempSync(path.join(tmpdir(), 'switchboard-bench-'));
  const file = path.join(dir, 'script.sql');
  writeFileSync(file, script);
  const tps: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const options = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(ROUND_S), '-f', file];
    const { stdout } = await promisify(execFile)(bin, [...options, url]);
    tps.push(Number(/tps = ([\d.]+)/.exec(stdout)?.[1]));
  }
  rmSync(dir, { recursive: true });
  return median(tps);
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ');
}

import { createSwitchboard } from '@switchboard/client';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { median } from '@switchboard/testkit/median.ts';
import type { Bench } from '../support/bench.ts';
import { cpuMs } from '../support/cpu.ts';
import { post } from '../support/inputs.ts';
import { load, type Requests, type Sent, writeRequests } from '../support/load.ts';
import { atMost, type Section } from '../support/report.ts';

const [USERS, ROOMS] = [50, 500];
const CONNECTIONS = 64;
const [WARM_UP_S, ROUNDS, ROUND_S] = [3, 7, 2];
const CONTENT = 'I would like to move my appointment to Thursday, if that is possible, at any time after four.';

interface Side {
  url: string;
  pid: number;
  requests: Requests;
}

const [CLEAR, CLOSED] = [{ SECRETS_KEY }, { SECRETS_KEY, ENCRYPT_CONTENT: 'true' }];

/**
 * Transcripts with and without ENCRYPT_CONTENT: processor time of the service. Two processes of each, started and
 * measured in the order of a mirror: of two that are alike, the later one may take a sixth more.
 */
export async function encryption(bench: Bench): Promise<Section> {
  const sides: Side[] = [];
  for (const env of [CLEAR, CLOSED, CLOSED, CLEAR]) sides.push(await start(bench, env));
  for (const side of sides) await measure(side, WARM_UP_S);
  const costs: number[][] = sides.map(() => []);
  for (let round = 0; round < ROUNDS; round++)
    for (const [index, side] of sides.entries()) costs[index]?.push(await measure(side, ROUND_S));
  for (const { requests } of sides) requests.remove();
  const [first = 0, second = 0, third = 0, fourth = 0] = costs.map((each) => median(each));
  const [usual, cost] = [(first + fourth) / 2, (second + third) / 2];
  return {
    lines: [atMost('processor time of a transcript with `ENCRYPT_CONTENT`, of one without', cost, usual, 1.1)],
    details: `${CONNECTIONS} connections, ${USERS} users, ${ROUNDS} interleaved rounds of ${ROUND_S} s with two processes of each: ${usual.toFixed(1)} µs of the service’s processor for a transcript as it was said (${first.toFixed(1)} and ${fourth.toFixed(1)}), ${cost.toFixed(1)} µs for one that is encrypted (${second.toFixed(1)} and ${third.toFixed(1)}).`,
  };
}

async function start(bench: Bench, env: Record<string, string>): Promise<Side> {
  const { url, child } = await bench.startService('Switchboard', { DATABASE_URL: await bench.database(), ...env });
  const client = createSwitchboard({ baseUrl: url });
  const sent: Sent[] = [];
  for (let index = 0; index < ROOMS; index++) {
    const room_name = `room-${index}`;
    await client.sessions.create({ user_id: `user-${index % USERS}`, room_name });
    sent.push(post(`/api/sessions/by-room/${room_name}/transcripts`, { speaker: 'AGENT', content: CONTENT }));
  }
  return { url, pid: child.pid ?? 0, requests: writeRequests(sent) };
}

/** Microseconds of the service's processor for each transcript: others use this machine too. */
async function measure({ url, pid, requests }: Side, seconds: number): Promise<number> {
  const before = cpuMs(pid);
  const { per_second } = await load(url, requests, CONNECTIONS, seconds);
  return ((cpuMs(pid) - before) * 1_000) / (per_second * seconds);
}

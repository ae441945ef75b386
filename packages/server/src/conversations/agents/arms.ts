import { createHmac } from 'node:crypto';
import type { Arm } from '../../db/agent-tables.ts';

/** Bytes of a hash: as many as a double holds exactly. */
const HASH_BYTES = 6;
const HASHES = 2 ** (8 * HASH_BYTES);

/**
 * The version that a call gets: always the same for one phone number, as far as the weights allow; by chance without a
 * number. Rendezvous hashing: a version whose weight grows keeps its numbers, whatever the order of the arms is.
 */
export function chooseArm(arms: Arm[], agent_id: string, number: string | null): number {
  const scores = arms.map(({ version, weight }) => {
    const share = number === null ? 1 - Math.random() : shareOf(agent_id, version, number);
    return { version, score: -Math.log(share) / weight };
  });
  return scores.reduce((best, one) => (one.score < best.score ? one : best)).version;
}

/** Evenly distributed in (0, 1]. Keyed by the agent: who meets one agent's new version does not meet every agent's. */
function shareOf(agent_id: string, version: number, number: string): number {
  const hash = createHmac('sha256', agent_id).update(`${version} ${number}`).digest();
  return (hash.readUIntBE(0, HASH_BYTES) + 1) / HASHES;
}

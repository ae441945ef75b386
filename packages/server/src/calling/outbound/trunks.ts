import type { Trunk, TrunkGroups } from '../../providers/trunks.ts';

/** Failures in a row after which a trunk is passed over, and for how long. */
export const [FAILURES, OPEN_MS] = [5, 30_000];
/** How much slower campaigns go on after calls that no trunk had room for, at most, and the time that doubles it. */
const [SLOWEST, EASE_MS] = [1 / 16, 30_000];
/** Calls without room, within that time, that slow campaigns down: a single one may be a hiccup of the carrier. */
export const REFUSALS = 3;

/** The outcome of a call as far as its trunk goes. `unknown`: a cancellation, or an outcome that was lost. */
export type TrunkResult = 'took' | 'failed' | 'unknown';

/** A trunk that was chosen. `end` says whether it is passed over from now on, or no longer. */
export interface Chosen {
  id: string;
  end(result: TrunkResult): 'opened' | 'closed' | null;
}

interface Circuit {
  /** Failures in a row. */
  failures: number;
  /** When the next call may try the trunk; null while all may. */
  openUntil: number | null;
  isTrying: boolean;
}

interface Deps {
  groups: TrunkGroups;
  now?: () => number;
  random?: () => number;
}

export type Trunks = ReturnType<typeof createTrunks>;

/**
 * Chooses trunks for the calls of this process: in the order of their groups, within a group by their weights. A trunk
 * that has failed repeatedly is passed over for a while, and then tried by one call. It is still the last resort.
 */
export function createTrunks({ groups, now = () => performance.now(), random = Math.random }: Deps) {
  const circuits = new Map<string, Circuit>(
    groups.flat().map(({ id }) => [id, { failures: 0, openUntil: null, isTrying: false }]),
  );
  let [pace, changedAt] = [1, now()];
  /** Times of the calls without room that have not slowed anything down. */
  let refused: number[] = [];

  function circuitOf(id: string): Circuit {
    return circuits.get(id) as Circuit;
  }

  function mayTake({ id }: Trunk): boolean {
    const { openUntil, isTrying } = circuitOf(id);
    return openUntil === null || (now() >= openUntil && !isTrying);
  }

  /** The trunk of a call that these have refused; undefined if there is no other one. */
  function choose(tried: readonly string[]): Chosen | undefined {
    const left = groups.map((group) => group.filter(({ id }) => !tried.includes(id)));
    const free = left.map((group) => group.filter(mayTake)).find((group) => group.length > 0);
    const trunk = free ? byWeight(free, random()) : left.flat()[0];
    if (!trunk) return undefined;
    const circuit = circuitOf(trunk.id);
    const isTrial = circuit.openUntil !== null && free !== undefined;
    if (isTrial) circuit.isTrying = true;
    return { id: trunk.id, end: (result) => end(circuit, result, isTrial) };
  }

  function end(circuit: Circuit, result: TrunkResult, isTrial: boolean): 'opened' | 'closed' | null {
    if (isTrial) circuit.isTrying = false;
    if (result === 'unknown') return null;
    const wasOpen = circuit.openUntil !== null;
    circuit.failures = result === 'failed' ? circuit.failures + 1 : 0;
    if (result === 'took') circuit.openUntil = null;
    else if (circuit.failures >= FAILURES) circuit.openUntil = now() + OPEN_MS;
    const isOpen = circuit.openUntil !== null;
    return isOpen === wasOpen ? null : isOpen ? 'opened' : 'closed';
  }

  /** The part of their pace with which campaigns dial, from 0 to 1: it doubles with the time. */
  function paceNow(): number {
    return Math.min(1, pace * 2 ** ((now() - changedAt) / EASE_MS));
  }

  return {
    choose,
    pace: paceNow,
    /**
     * Halves the pace of campaigns after a few calls that no trunk had room for. Those that were placed at the old
     * pace, and are refused within a second of the change, say nothing about the new one.
     */
    slowDown: () => {
      const time = now();
      if (pace < 1 && time - changedAt < EASE_MS / 30) return;
      refused = [...refused.filter((at) => time - at < EASE_MS), time];
      if (refused.length < REFUSALS) return;
      [pace, changedAt] = [Math.max(SLOWEST, paceNow() / 2), time];
      refused = [];
    },
  };
}

/** A trunk of the group, for a random number from 0 to 1: each as often as its weight says. */
function byWeight(group: readonly Trunk[], random: number): Trunk | undefined {
  const tickets = group.flatMap((trunk) => Array<Trunk>(trunk.weight).fill(trunk));
  return tickets[Math.floor(random * tickets.length)];
}

/** Work begun in one turn of the event loop takes no longer than this, the last piece of it aside. Milliseconds. */
const TURN_MS = 10;

export type Turns = ReturnType<typeof createTurns>;

/**
 * Spreads work over turns of the event loop, so that thousands of connections with something to say at once do not
 * keep everybody else, health checks first of all, from being answered.
 */
export function createTurns() {
  const waiting: (() => void)[] = [];
  let next = 0;
  let endsAt: number | null = null;

  function endTurn(): void {
    endsAt = performance.now() + TURN_MS;
    while (next < waiting.length && performance.now() < endsAt) waiting[next++]?.();
    if (next < waiting.length) {
      setImmediate(endTurn);
      return;
    }
    waiting.length = 0;
    next = 0;
    endsAt = null;
  }

  /** Whether work may begin at once: nothing waits, and this turn is not used up. */
  function isFree(): boolean {
    if (endsAt !== null) return next >= waiting.length && performance.now() < endsAt;
    endsAt = performance.now() + TURN_MS;
    setImmediate(endTurn);
    return true;
  }

  /** Runs `work` when its turn comes: first come, first served. */
  function enqueue(work: () => void): void {
    if (endsAt === null) isFree();
    waiting.push(work);
  }

  return { isFree, enqueue, wait: () => new Promise<void>((resolve) => enqueue(resolve)) };
}

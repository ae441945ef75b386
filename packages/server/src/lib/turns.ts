import { createAddressLines, type Work } from './address-lines.ts';

/** Time budget, in milliseconds, for work in one turn of the event loop, apart from its last item. */
const TURN_MS = 10;
/**
 * While connections arrive, the kernel hands over one per turn; for this many milliseconds no other work starts. Some
 * hundred arrive in that time, so that a health check does not wait behind those of a flood for several turns.
 */
const RUSH_MS = 50;
/** The share of a turn in which connections are accepted before queued work. */
const CONNECTIONS_MS = 5;
/** Estimated milliseconds to read and process one connection's buffered data, which happens after the turn. */
const READ_MS = 0.3;
/** Connections that may be read per turn even beyond the time budget. */
const MAX_READS = 128;

export type LoopTurns = ReturnType<typeof createLoopTurns>;

/**
 * Spreads work over turns of the event loop, so that thousands of readable connections do not starve everything else,
 * health checks above all. Addresses take turns, one item each.
 */
export function createLoopTurns() {
  const waiting = createAddressLines();
  let endsAt: number | null = null;
  /** Null from the work of a turn to the end of the reads that it has begun. */
  let rushEndsAt: number | null = null;
  /** Whether a connection has arrived in this turn, and in each of the previous ones. */
  let hasArrived = false;
  let isRush = false;
  /** Connections read in this turn. */
  let reads = 0;
  let turn = 0;

  function begin(): void {
    const now = performance.now();
    endsAt = now + TURN_MS;
    rushEndsAt = null;
    setImmediate(endTurn);
  }

  function endTurn(): void {
    const now = performance.now();
    isRush = hasArrived;
    hasArrived = false;
    reads = 0;
    turn++;
    rushEndsAt ??= now + RUSH_MS;
    if (isRush && now < rushEndsAt) {
      setImmediate(endTurn);
      return;
    }
    endsAt = now + TURN_MS;
    work();
  }

  function work(): void {
    const now = performance.now();
    const left = (endsAt ?? 0) - now;
    if (waiting.hasReads() && left > TURN_MS - CONNECTIONS_MS) waiting.nextRead()?.();
    else if (waiting.hasRequests() && left > 0) waiting.nextRequest()?.();
    else if (waiting.hasReads() && left > 0) waiting.nextRead()?.();
    else {
      stop();
      return;
    }
    // Includes the microtasks: the duration is known only after them.
    queueMicrotask(() => process.nextTick(work));
  }

  function stop(): void {
    if (!waiting.isEmpty() || isRush) {
      rushEndsAt = null;
      setImmediate(endTurn);
    } else endsAt = null;
  }

  /** Whether work may start at once: nothing is queued, and the turn has time left. */
  function isFree(): boolean {
    if (endsAt === null) {
      begin();
      return true;
    }
    return waiting.isEmpty() && !isRush && performance.now() < endsAt;
  }

  /** Runs `next` when its address is due; the work of one address runs in order. */
  function enqueue(address: string, next: Work): void {
    if (endsAt === null) begin();
    waiting.addRequest(address, next);
  }

  /** Runs work that is followed by a read of its connection, which uses time of the same turn. */
  function reading(next: Work): Work {
    return () => {
      if (endsAt !== null) endsAt -= READ_MS;
      next();
    };
  }

  return {
    isFree,
    enqueue,
    /** Runs `next`, which continues to read a request, when it is due. */
    enqueueRead: (address: string, next: Work): void => enqueue(address, reading(next)),
    /** Runs `next`, which reads a suspended connection, when no request of its address is queued. */
    resume: (address: string, next: Work): void => {
      if (endsAt === null) begin();
      waiting.addRead(address, reading(next));
    },
    /** The number of this turn of the event loop. */
    current: () => turn,
    /**
     * Counts a connection read in this turn. Returns true once per turn, when the budget is used up and the rest
     * should wait.
     */
    isFlood: (): boolean => {
      if (endsAt === null) begin();
      reads++;
      if (reads < MAX_READS || performance.now() < (endsAt ?? 0)) return false;
      reads = Number.NEGATIVE_INFINITY;
      return true;
    },
    /** Resolves when it is the turn of the address. */
    wait: (address: string) => new Promise<void>((resolve) => enqueue(address, resolve)),
    /** Runs `next`, which reads a connection that has just come: at once, or when no request waits for its address. */
    arrive: (address: string, next: Work): void => {
      const isAtOnce = isFree();
      hasArrived = true;
      if (isAtOnce) next();
      else waiting.addRead(address, next);
    },
  };
}

/** Work begun in one turn of the event loop takes no longer than this, the last piece of it aside. Milliseconds. */
const TURN_MS = 10;
/** While connections come, the system hands over one a turn: so long nothing else is begun. Milliseconds. */
const RUSH_MS = 10;
/** The part of a turn in which connections may be begun before what else waits. Milliseconds. */
const CONNECTIONS_MS = 5;
/**
 * How long it takes to read and pass on what is buffered of one connection, which happens after the turn. Milliseconds.
 */
const READ_MS = 0.3;
/** Connections that may be read in one turn, even when that takes longer. */
const MAX_READS = 256;

type Work = () => void;
/** Work by address, in the order in which addresses are served. */
type Lines = Map<string, Work[]>;

export type Turns = ReturnType<typeof createTurns>;

/**
 * Spreads work over turns of the event loop, so that thousands of connections with something to say at once do not keep
 * everybody else, health checks first of all, from being answered. Addresses take turns too, one piece of work each.
 */
export function createTurns() {
  const requests: Lines = new Map();
  /**
   * Connections that nobody reads yet, and those of addresses whose requests wait: to read more of them would only take
   * memory.
   */
  const connections: Lines = new Map();
  const parked: Lines = new Map();
  let endsAt: number | null = null;
  let rushEndsAt = 0;
  /** A connection has come in this turn of the loop; one has come in each of the last turns. */
  let hasArrived = false;
  let isRush = false;
  /** Reads of connections in this turn of the loop. */
  let reads = 0;
  let turn = 0;

  function begin(): void {
    const now = performance.now();
    endsAt = now + TURN_MS;
    rushEndsAt = now + RUSH_MS;
    setImmediate(endTurn);
  }

  function endTurn(): void {
    const now = performance.now();
    isRush = hasArrived;
    hasArrived = false;
    reads = 0;
    turn++;
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
    if (connections.size > 0 && left > TURN_MS - CONNECTIONS_MS) runNext(connections);
    else if (requests.size > 0 && left > 0) runNext(requests);
    else if (connections.size > 0 && left > 0) runNext(connections);
    else {
      stop(now);
      return;
    }
    // Its microtasks are part of it: only after them is its duration known.
    queueMicrotask(() => process.nextTick(work));
  }

  function stop(now: number): void {
    if (requests.size + connections.size > 0 || isRush) {
      rushEndsAt = now + RUSH_MS;
      setImmediate(endTurn);
    } else endsAt = null;
  }

  function runNext(lines: Lines): void {
    const [address, line] = lines.entries().next().value as [string, Work[]];
    lines.delete(address);
    const next = line.shift();
    if (line.length > 0) lines.set(address, line);
    else if (lines === requests) move(address, parked, connections);
    next?.();
  }

  function move(address: string, from: Lines, to: Lines): void {
    const line = from.get(address);
    if (!line) return;
    from.delete(address);
    to.set(address, line);
  }

  function push(lines: Lines, address: string, next: Work): void {
    const line = lines.get(address);
    if (line) line.push(next);
    else lines.set(address, [next]);
  }

  /** Whether work may begin at once: nothing waits, and this turn is not used up. */
  function isFree(): boolean {
    if (endsAt === null) {
      begin();
      return true;
    }
    return requests.size + connections.size === 0 && !isRush && performance.now() < endsAt;
  }

  /** Runs `next` when it is the turn of its address, whose work is done in the order in which it came. */
  function enqueue(address: string, next: Work): void {
    if (endsAt === null) begin();
    push(requests, address, next);
    move(address, connections, parked);
  }

  /** Work after which a connection is read, which takes time of the same turn. */
  function reading(next: Work): Work {
    return () => {
      if (endsAt !== null) endsAt -= READ_MS;
      next();
    };
  }

  function enqueueConnection(address: string, next: Work): void {
    push(requests.has(address) ? parked : connections, address, next);
  }

  return {
    isFree,
    enqueue,
    /** Runs `next`, which has more read of a request, when it is its turn. */
    enqueueRead: (address: string, next: Work): void => enqueue(address, reading(next)),
    /** Runs `next`, which reads a connection that was suspended, when no request waits for its address. */
    resume: (address: string, next: Work): void => {
      if (endsAt === null) begin();
      enqueueConnection(address, reading(next));
    },
    /** The number of this turn of the loop. */
    current: () => turn,
    /**
     * Counts a connection that was read in this turn. True once a turn: so many have taken so long that the others
     * should wait for theirs.
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
      else enqueueConnection(address, next);
    },
  };
}

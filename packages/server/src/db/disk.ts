/**
 * Two segments of the write-ahead log. With less space, the embedded database could panic in the middle of a
 * transaction.
 */
const RESERVE_BYTES = 32e6;
const POLL_INTERVAL_MS = 1_000;
/** How long after a failed write the disk counts as full. Each further failure extends it. */
const REMEMBERED_MS = 30_000;

/** Whether the database refused to write because its disk is full. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '53100';
}

/** Detects a full disk from failing queries and, where available, from the free space. */
export function watchDisk(freeBytes?: () => Promise<number | null>) {
  let refusedAt = Number.NEGATIVE_INFINITY;
  let isLow = false;
  const look = async () => {
    const free = (await freeBytes?.()) ?? Number.POSITIVE_INFINITY;
    isLow = free < RESERVE_BYTES;
  };
  // At once, too: the message that the service is ready says so.
  if (freeBytes) void look();
  const looking = freeBytes && setInterval(() => void look(), POLL_INTERVAL_MS).unref();
  return {
    /** Takes note of the error of a query. */
    failed: (error: unknown): void => {
      if (isDiskFull(error)) refusedAt = performance.now();
    },
    isFull: () => isLow || performance.now() - refusedAt < REMEMBERED_MS,
    stop: () => clearInterval(looking),
  };
}

const LONGEST_MS = 60_000;

/** The same promise with a timeout, whose error says what was awaited. */
export async function within<T>(promise: Promise<T>, what: string, ms = LONGEST_MS): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what}: not within ${ms} ms`)), ms);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

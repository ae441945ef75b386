/** An attempt to reach a phone for a session: begins before the room is created, and ends with the outcome. */
export interface Attempt {
  /** Fires when the session has ended in this process. */
  canceled: AbortSignal;
  end(): void;
}

/** The attempts in progress in this process, by session. */
export function createAttempts() {
  const attempts = new Map<string, Set<AbortController>>();

  function begin(session_id: string): Attempt {
    const attempt = new AbortController();
    const ofSession = attempts.get(session_id) ?? new Set();
    attempts.set(session_id, ofSession.add(attempt));
    return {
      canceled: attempt.signal,
      end: () => {
        ofSession.delete(attempt);
        if (ofSession.size === 0) attempts.delete(session_id);
      },
    };
  }

  /** Cancels all dialling for a session that has ended. */
  function cancel(session_id: string): void {
    for (const attempt of attempts.get(session_id) ?? []) attempt.abort();
  }

  return { begin, cancel };
}

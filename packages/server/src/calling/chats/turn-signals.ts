/** Signals that something has changed in a turn, which another process may have done without one. */
export type TurnSignals = ReturnType<typeof createTurnSignals>;

export function createTurnSignals() {
  const armed = new Map<string, AbortController>();

  return {
    /** Fires at the next change. Ask for it before looking, so that no change is missed in between. */
    next: (chat_id: string): AbortSignal => {
      const current = armed.get(chat_id) ?? new AbortController();
      armed.set(chat_id, current);
      return current.signal;
    },
    fire: (chat_id: string): void => {
      armed.get(chat_id)?.abort();
      armed.delete(chat_id);
    },
  };
}

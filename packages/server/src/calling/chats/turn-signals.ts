import type { Platform } from '../../platform.ts';
import { CHAT_TURN } from './turn-task.ts';

/** How often we look for what other processes have stored, while somebody waits for it. */
const EVERY_MS = 100;

/** Signals that something has changed in a turn, in whichever process. */
export type TurnSignals = ReturnType<typeof createTurnSignals>;

/** One statement at a time looks at all turns that somebody waits for; none runs without. */
export function createTurnSignals({ clock, work }: Pick<Platform, 'clock' | 'work'>) {
  const armed = new Map<string, AbortController>();
  /** How far each turn was at the last look. */
  let seen = new Map<string, string>();
  let isLooking = false;

  function fire(chat_id: string): void {
    armed.get(chat_id)?.abort();
    armed.delete(chat_id);
  }

  async function look(): Promise<void> {
    isLooking = true;
    while (armed.size > 0) {
      await clock.sleep(EVERY_MS);
      if (armed.size === 0) break;
      // A database that fails is asked again.
      const found = await work.progressOf(CHAT_TURN, [...armed.keys()]).catch(() => seen);
      const before = seen;
      seen = found;
      // One that was not looked at before may have changed since it was read. A turn that is over looks like the turn
      // before it, whose end may be what was seen last.
      for (const [chat_id, progress] of found) if (progress === '' || before.get(chat_id) !== progress) fire(chat_id);
    }
    isLooking = false;
  }

  return {
    /** Fires at the next change. Ask for it before looking, so that no change is missed in between. */
    next: (chat_id: string): AbortSignal => {
      const current = armed.get(chat_id) ?? new AbortController();
      armed.set(chat_id, current);
      if (!isLooking) void look();
      return current.signal;
    },
    fire,
  };
}

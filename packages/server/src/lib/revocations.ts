import type { Principal } from './principal.ts';

type Matches = (principal: Principal) => boolean;

export type Revocations = ReturnType<typeof createRevocations>;

/**
 * Announces revoked credentials within this process, so that caches and open streams drop them immediately. Other
 * processes notice when they ask the database again.
 */
export function createRevocations() {
  const listeners: ((matches: Matches) => void)[] = [];
  return {
    /** Announces that the credentials of all principals for which `matches` holds were revoked. */
    announce: (matches: Matches): void => {
      for (const listener of listeners) listener(matches);
    },
    listen: (listener: (matches: Matches) => void): void => {
      listeners.push(listener);
    },
  };
}

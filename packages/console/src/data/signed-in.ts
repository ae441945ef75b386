import { createSwitchboard, SwitchboardError } from '@switchboard/client';

const STORED = 'switchboard.users';
/** The user of the first visit: any name is a user. */
const FIRST = 'me';
const REMEMBERED = 8;

/** A key that was accepted. It is kept in the memory of the page alone: a script, or the next visitor, finds none. */
export interface SignedIn {
  key: string;
  role: 'service' | 'user';
  user: string;
}

/** Tries a key. Throws `SwitchboardError` for one that is unknown, or may not use the console. */
export async function tryKey(key: string, user: string): Promise<SignedIn> {
  const api = createSwitchboard({ baseUrl: location.origin, apiKey: key, userId: user, maxRetries: 1 });
  await api.agents.list();
  try {
    await api.keys.list({ limit: 1 });
    return { key, user, role: 'service' };
  } catch (error) {
    if (error instanceof SwitchboardError && error.status === 403) return { key, user, role: 'user' };
    throw error;
  }
}

/** Users shown on this machine, the one of the address first. */
export function startUsers(): string[] {
  const named = new URLSearchParams(location.search).get('user');
  const known = storedUsers();
  return named ? rememberUser(named, known) : known.length > 0 ? known : [FIRST];
}

/** Puts a user first. */
export function rememberUser(id: string, before: string[]): string[] {
  const known = [id, ...before.filter((other) => other !== id)].slice(0, REMEMBERED);
  localStorage.setItem(STORED, JSON.stringify(known));
  return known;
}

function storedUsers(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

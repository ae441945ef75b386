import { type ConsoleRole, type ConsoleSession, createSwitchboard, SwitchboardError } from '@switchboard/client';

const STORED = 'switchboard.users';
/** The user of the first visit: any name is a user. */
const FIRST = 'me';
const REMEMBERED = 8;

/** The user whose data is shown; null: that of all users. */
export type Shown = string | null;

/** Somebody who has signed in. The browser keeps the session in a cookie that no script can read. */
export interface SignedIn {
  role: ConsoleRole;
  /** The user that the sign-in is bound to; null if it shows any. */
  user: string | null;
  /** The operations that it may use, by their `operationId`. */
  operations: ReadonlySet<string>;
}

/** The session of this browser, and the currency of all amounts. */
export interface Entered {
  /** Null in open mode. */
  signedIn: SignedIn | null;
  currency: string;
}

const client = () => createSwitchboard({ baseUrl: location.origin, maxRetries: 1 });

/** Exchanges a key for a session. Throws `SwitchboardError` for one that is unknown, or may not use the console. */
export async function exchangeKey(key: string): Promise<Entered> {
  return toEntered(await client().console.signIn({ api_key: key }));
}

/** Whether users can sign in at an OpenID provider. */
export async function hasOpenId(): Promise<boolean> {
  return (await client().console.signInMethods()).is_openid_configured;
}

/** Navigates to the provider, which redirects back to this page. */
export function openIdAddress(): string {
  const { pathname, search } = location;
  const named = new URLSearchParams(search);
  named.delete(PROBLEM);
  const query = named.size > 0 ? `?${named}` : '';
  return `/console/openid?${new URLSearchParams({ return_to: `${pathname}${query}` })}`;
}

const PROBLEM = 'sign_in';
const PROBLEMS: Record<string, string> = {
  state: 'The sign-in took too long, or was started in another window. Sign in again.',
  denied: 'The provider denied the sign-in. Sign in again, or use an API key.',
  refused:
    'The provider’s response was not accepted. Sign in again; if it keeps failing, the service’s log has the reason.',
  unavailable: 'The sign-in provider is unreachable. Try again later, or use an API key.',
};

/** The reason why signing in at the provider failed, from the URL; null if it did not. */
export function openIdProblem(): string | null {
  return PROBLEMS[new URLSearchParams(location.search).get(PROBLEM) ?? ''] ?? null;
}

/**
 * Ends the session, or all with the same key or of the same person; the page then goes to the OpenID provider, if there
 * is one. Returns whether it does.
 */
export async function endSession(isEverywhere: boolean): Promise<boolean> {
  if (isEverywhere) await client().console.signOutEverywhere();
  else await client().console.signOut();
  const isLeaving = await hasOpenId().catch(() => false);
  if (isLeaving) location.assign('/console/openid/sign-out');
  return isLeaving;
}

/** The session of this browser; null if a key is required and none was entered. */
export async function readSession(): Promise<Entered | null> {
  try {
    return toEntered(await client().console.session());
  } catch (error) {
    if (error instanceof SwitchboardError && error.status === 401) return null;
    throw error;
  }
}

const toEntered = ({ role, user_id, operations, currency }: ConsoleSession): Entered => ({
  signedIn: role && { role, user: user_id, operations: new Set(operations) },
  currency,
});

/** Users shown on this machine, the one in the URL first. */
export function startUsers(): Shown[] {
  const named = new URLSearchParams(location.search).get('user');
  const known = storedUsers();
  return named ? rememberUser(named, known) : known.length > 0 ? known : [FIRST];
}

/** Moves a user, or all users, to the front. */
export function rememberUser(id: Shown, before: Shown[]): Shown[] {
  const known = [id, ...before.filter((other) => other !== id)].slice(0, REMEMBERED);
  localStorage.setItem(STORED, JSON.stringify(known));
  return known;
}

function storedUsers(): Shown[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(STORED) ?? '[]');
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string' || id === null) : [];
  } catch {
    return [];
  }
}

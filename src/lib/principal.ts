/**
 * `service`: everything, for any user it names; `worker`: what an agent's worker needs; `user`: one user's own things.
 */
export type Role = 'service' | 'worker' | 'user';

/** Who has shown a key or a token. `user_id` is whom a `user` is bound to; null for the others. */
export interface Principal {
  role: Role;
  user_id: string | null;
}

/** Whose token this is, or null when it is nobody's, or not any more. */
export type Authenticate = (token: string) => Promise<Principal | null>;

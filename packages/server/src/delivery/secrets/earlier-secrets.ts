import type { SecretRow } from './store.ts';

/** An earlier secret, encrypted, and its expiry. */
export interface EarlierSecret {
  secret: string;
  expires_at: Date;
}

/** Earlier secrets that still sign, newest first. */
export function overlapping(row: SecretRow, now: Date): EarlierSecret[] {
  const { previous_secret, previous_expires_at, earlier_secrets } = row;
  const earlier = earlier_secrets.map(({ secret, expires_at }) => ({ secret, expires_at: new Date(expires_at) }));
  const previous =
    previous_secret && previous_expires_at ? [{ secret: previous_secret, expires_at: previous_expires_at }] : [];
  return [...previous, ...earlier].filter(({ expires_at }) => expires_at > now);
}

/** The columns that store these secrets. The newest one has its own. */
export function toColumns([newest, ...earlier]: EarlierSecret[]) {
  return {
    previous_secret: newest?.secret ?? null,
    previous_expires_at: newest?.expires_at ?? null,
    earlier_secrets: JSON.stringify(earlier),
  };
}

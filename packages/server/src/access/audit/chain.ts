import { hash } from 'node:crypto';
import type { AuditEntry } from './store.ts';

/** The content of an entry that an erasure deletes. */
type Personal = Pick<AuditEntry, 'user_id' | 'actor_user_id' | 'actor_name' | 'ip' | 'detail' | 'before' | 'after'>;
/** The rest of it, which never changes. */
type Lasting = Pick<AuditEntry, 'id' | 'at' | 'actor' | 'action' | 'target' | 'outcome' | 'count'>;

/** The digest of an entry's personal part. The salt keeps it from telling what an erased part was. */
export function digestOf(salt: string, entry: Personal): string {
  const { user_id, actor_user_id, actor_name, ip, detail, before, after } = entry;
  return sha256([salt, user_id, actor_user_id, actor_name, ip, detail, before, after]);
}

/** The hash of an entry: over its lasting part, the digest of its personal part, and the hash of the one before. */
export function hashOf(previous: string, seq: number, digest: string, entry: Lasting): string {
  const { id, at, actor, action, target, outcome, count } = entry;
  return sha256([previous, seq, digest, id, at.toISOString(), actor, action, target, outcome, count]);
}

function sha256(values: readonly unknown[]): string {
  return hash('sha256', JSON.stringify(values), 'hex');
}

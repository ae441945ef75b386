import type { Generated } from 'kysely';
import type { Role, Scope } from '../lib/principal.ts';

/** Keys, sign-ins and tokens. */
export interface AccessTables {
  api_keys: {
    id: string;
    name: string;
    role: Role;
    user_id: string | null;
    scopes: Scope[] | null;
    made_in_open_mode: Generated<boolean>;
    token_hash: string;
    created_at: Date;
    expires_at: Date | null;
    last_used_at: Date | null;
    revoked_at: Date | null;
  };
  console_sessions: {
    token_hash: string;
    /** Null for a sign-in at an OpenID provider. */
    key_id: string | null;
    role: Role;
    user_id: string | null;
    /** The provider's `sub`; null for a sign-in by key. */
    subject: string | null;
    created_at: Date;
    expires_at: Date;
    /** The address of a user who signed in at the provider. */
    label: string | null;
  };
  stream_tokens: {
    token_hash: string;
    session_id: string | null;
    /** The only recording whose audio it opens, instead of event streams. */
    recording_id: Generated<string | null>;
    user_id: string;
    key_id: string | null;
    /** The hash of the console sign-in that asked for it. */
    sign_in: string | null;
    expires_at: Date;
  };
}

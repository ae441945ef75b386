import type { CustomPattern } from '@switchboard/redaction/patterns';
import type { Kind } from '@switchboard/redaction/types';
import type { ColumnType, Generated } from 'kysely';
import type { JsonObject } from '../lib/json.ts';

/** The secrets that are replaced in a conversation. */
export interface SessionPrivacy {
  kinds: Kind[];
  custom: CustomPattern[];
  /** A BCP 47 tag: the phone numbers of its country need no prefix. */
  language: string | null;
}

/** Data that an agent or a user may keep for less time than the installation. */
export const KEPT = ['transcripts', 'recordings', 'metadata'] as const;
export type Kept = (typeof KEPT)[number];

type Until = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** Columns of sessions. */
export interface PrivacyColumns {
  /** When this data is deleted; null: when the installation's retention does, or it is deleted already. */
  transcripts_until: Until;
  recordings_until: Until;
  metadata_until: Until;
  /** Set once its metadata was deleted: what is written later is deleted in the next round. */
  metadata_deleted: Generated<boolean>;
  /** As the agent and its user said when it began; null: nothing is replaced. */
  privacy: ColumnType<SessionPrivacy | null, string | null | undefined, string | null>;
}

/** Erasures of users, users of whom nothing is deleted, and the keys that encrypt what is theirs. */
export interface PrivacyTables {
  data_keys: {
    user_id: string;
    id: string;
    /** Encrypted with SECRETS_KEY, or by a key management service. */
    secret: string;
    created_at: Date;
  };
  user_privacy: { user_id: string; rules: ColumnType<JsonObject, string, string> };
  legal_holds: { user_id: string; since: Date };
  erasures: { pseudonym: string; user_id: string | null; requested_at: Date; finished_at: Date | null };
}

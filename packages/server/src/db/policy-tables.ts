import type { Generated } from 'kysely';
import type { CampaignTables } from './campaign-tables.ts';

/** Policies, numbers that are not called, consents, decisions, and campaigns. */
export interface PolicyTables extends CampaignTables {
  dial_policies: {
    id: string;
    user_id: string;
    name: string;
    version: number;
    is_default: boolean;
    created_at: Date;
  };
  dial_policy_versions: {
    policy_id: string;
    user_id: string;
    version: number;
    /** JSON. */
    rules: string;
    created_at: Date;
  };
  number_keys: { is_only: Generated<boolean>; secret: string };
  suppressions: {
    id: string;
    /** Null after an erasure, like the number. */
    user_id: string | null;
    phone_number: string | null;
    number_hash: string;
    scope: 'user' | 'agent' | 'campaign' | 'purpose';
    scope_id: string;
    reason: 'asked' | 'imported' | 'registry' | 'wrong_number';
    expires_at: Date | null;
    call_id: string | null;
    transcript_id: string | null;
    created_at: Date;
    deleted_at: Date | null;
    change: string;
  };
  consents: {
    id: string;
    user_id: string;
    phone_number: string;
    purpose: string;
    kind: string;
    text: string;
    obtained_at: Date;
    channel: string;
    evidence_url: string | null;
    created_at: Date;
    revoked_at: Date | null;
  };
  dial_decisions: {
    id: string;
    user_id: string;
    call_id: string | null;
    kind: 'call' | 'transfer';
    agent_id: string | null;
    phone_number: string;
    purpose: string;
    outcome: 'allow' | 'defer' | 'deny';
    not_before: Date | null;
    reasons: string;
    inputs: string;
    inputs_hash: string;
    policy: string | null;
    policy_version: number | null;
    evaluated_at: Date;
  };
}

import type { Generated } from 'kysely';

export const CAMPAIGN_STATES = ['draft', 'running', 'paused', 'completed', 'canceled'] as const;
type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** Campaigns, whom they call, and the attempts. The database's triggers keep the counts. */
export interface CampaignTables {
  campaigns: {
    id: string;
    user_id: string;
    name: string;
    agent_id: string;
    agent_version: number | null;
    state: CampaignState;
    /** JSON. */
    settings: string;
    budget: string | null;
    expires_at: Date | null;
    blocked: Generated<string | null>;
    blocked_until: Generated<Date | null>;
    turn_at: Generated<Date | null>;
    next_slot_at: Generated<Date | null>;
    filling_until: Generated<Date | null>;
    /** JSON. */
    abandonment: Generated<string | null>;
    spent: Generated<string>;
    created_at: Date;
    updated_at: Date;
    started_at: Generated<Date | null>;
    ended_at: Generated<Date | null>;
    deleted_at: Generated<Date | null>;
    tx: Generated<string>;
  };
  campaign_recipients: {
    id: string;
    campaign_id: string;
    user_id: string;
    external_id: string;
    phone_number: string;
    /** JSON. */
    variables: string | null;
    metadata: string | null;
    time_zone: string | null;
    region: string | null;
    state: string;
    reason: Generated<string | null>;
    attempts: Generated<number>;
    decision_id: Generated<string | null>;
    next_at: Date | null;
    created_at: Date;
    finished_at: Generated<Date | null>;
  };
  campaign_attempts: {
    recipient_id: string;
    attempt: number;
    campaign_id: string;
    call_id: string;
    decision_id: string | null;
    started_at: Date;
    ended_at: Date | null;
    outcome: string | null;
    cost: Generated<string>;
    cost_reads: Generated<number>;
    cost_due_at: Date | null;
  };
  campaign_days: { campaign_id: string; day: string; answered: number; abandoned: number };
  campaign_counts: { campaign_id: string; kind: 'recipients' | 'attempts'; name: string; count: number };
}

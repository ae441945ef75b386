/** Disclosures to people on the phone, refusals by them, and the evidence that was issued. */
export interface EvidenceTables {
  call_disclosures: {
    call_id: string;
    user_id: string;
    text: string;
    started_at: Date;
    is_complete: boolean;
    created_at: Date;
  };
  call_opt_outs: {
    call_id: string;
    user_id: string;
    noticed_by: 'service' | 'agent';
    transcript_id: string | null;
    scope: 'user' | 'agent' | 'purpose';
    scope_id: string;
    /** False for a caller who withholds the number. */
    is_suppressed: boolean;
    asked_at: Date;
  };
  evidence_documents: {
    user_id: string;
    /** 1 for the first one of the user. */
    position: number;
    /** Null for a document about a decision. */
    call_id: string | null;
    /** Null for a document about a call. */
    decision_id: string | null;
    content_hash: string;
    document_hash: string;
    previous_hash: string | null;
    key_id: string;
    signature: string;
    issued_at: Date;
  };
  evidence_keys: { id: string; public_key: string; secret: string; created_at: Date };
}

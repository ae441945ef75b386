/** The behavior of a sandbox phone. By default it is answered after a short ring and stays. */
export interface PhoneBehavior {
  rings_out?: true;
  refusal?: { end_reason: string; sip_status_code: number };
  hangs_up_after_ms?: number;
}

/** The magic numbers; every other phone answers. The SIP statuses are those of real phones and trunks. */
const MAGIC_NUMBERS: Record<string, PhoneBehavior> = {
  '+15005550001': { refusal: { end_reason: 'busy', sip_status_code: 486 } },
  '+15005550002': { rings_out: true },
  '+15005550003': { refusal: { end_reason: 'declined', sip_status_code: 603 } },
  '+15005550004': { refusal: { end_reason: 'trunk_failure', sip_status_code: 503 } },
  '+15005550005': { hangs_up_after_ms: 1000 },
};

export function phoneBehavior(phone_number: string): PhoneBehavior {
  return MAGIC_NUMBERS[phone_number] ?? {};
}

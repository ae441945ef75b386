import type { Inputs } from '../../src/calling/policies/evaluate.ts';
import type { Rules } from '../../src/calling/policies/schema.ts';

/** Somebody whose number says where they are. */
export const BERLIN = { countries: ['DE'], regions: null, zones: ['Europe/Berlin'], zone_from: 'prefix' as const };

/** A decision about a call to somebody in Berlin, by these rules. */
export function inputs(rules: Rules, at: string, changes: Partial<Inputs> = {}): Inputs {
  return {
    kind: 'call',
    at,
    phone_number: '+4930123456',
    purpose: 'marketing',
    agent_id: 'a',
    person: BERLIN,
    policy: { name: 'p', version: 1, rules },
    suppressions: [],
    consents: [],
    attempts: [],
    ...changes,
  };
}

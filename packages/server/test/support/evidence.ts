import assert from 'node:assert/strict';
import type { EvidenceKeys } from '@switchboard/client/evidence';
import { createAgent, reaches, USER } from '@switchboard/testkit/calls.ts';
import { recorder } from '@switchboard/testkit/recordings.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createAudit } from '../../src/access/audit/audit.ts';
import { createEvidenceKeys } from '../../src/calling/evidence/keys.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSeal } from '../../src/lib/seal.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** A service whose calls leave evidence. */
export async function startEvidence() {
  const env = { CALLS_PER_SECOND: '100', CALLS_BURST: '1000', SECRETS_KEY };
  const media = createSandboxMedia({ clock: systemClock, ringMs: 5 });
  const service = await startService({ env, media });
  const { db } = service.database;

  const ask = (method: string, path: string, body?: unknown, user = USER) =>
    service.request(method, path, { user, body });
  /** The bytes of the evidence. */
  async function evidenceAt(path: string, user: string) {
    const response = await fetch(`${service.url}${path}`, { headers: { 'x-user-id': user } });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  }
  const evidenceOf = (call_id: string, user = USER) => evidenceAt(`/api/calls/${call_id}/evidence`, user);
  const publicKeys = async () =>
    (await (await fetch(`${service.url}/.well-known/switchboard-evidence.json`)).json()) as EvidenceKeys;

  /** A consent and a policy, by which the number may be called. */
  async function allow(phone_number: string, user: string): Promise<void> {
    const obtained_at = '2026-01-15T09:30:00.000Z';
    const about = { purpose: 'marketing', kind: 'express_written', channel: 'form', text: 'Yes – ok “€”\u0001.' };
    const consent = await ask('POST', '/api/consents', { phone_number, obtained_at, ...about }, user);
    assert.equal(consent.status, 201);
    const rules = { min_gap_s: 60, max_abandoned_rate: 0.00000123 };
    assert.equal((await ask('PUT', '/api/dial-policies/gap', rules, user)).status, 200);
  }

  let next = 300;
  /** A call with everything in it: a policy, a consent, a disclosure, a refused recording, an opt-out. */
  async function eventfulCall(user = USER) {
    const phone_number = `+15005550${next++}`;
    await allow(phone_number, user);
    const words = `This is an AI for ${user}.`;
    const compliance = { policy: 'gap', disclosure: { text: words }, opt_out: { enabled: true } };
    const recording = { enabled: true, consent: { type: 'verbal' } };
    const agent_id = await createAgent(service, { user_id: user, config: { compliance, recording } });
    const placed = await ask('POST', '/api/calls/outbound', { agent_id, phone_number }, user);
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
    const { call_id, room_name } = placed.body;
    await reaches(service, call_id, 'ANSWERED');
    const disclosure = { text: words, started_at: '2026-01-15T09:30:02.000Z', is_complete: true };
    assert.equal((await ask('POST', `/api/calls/${call_id}/outcome`, { disclosure }, user)).status, 200);
    await recorder(service, call_id).report('refused');
    const line = { content: 'Stop calling me.' };
    const said = await ask('POST', `/api/sessions/by-room/${room_name}/transcripts`, line, user);
    await reaches(service, call_id, 'COMPLETED');
    return { agent_id, call_id, phone_number, disclosure, transcript_id: said.body.id };
  }

  return {
    service,
    db,
    ask,
    evidenceAt,
    evidenceOf,
    publicKeys,
    eventfulCall,
    /** The keys of the service, as another process has them. */
    keysWith: (...secretsKeys: string[]) =>
      createEvidenceKeys({
        db,
        clock: systemClock,
        audit: createAudit({ db, clock: systemClock }),
        seal: createSeal(secretsKeys),
      }),
  };
}

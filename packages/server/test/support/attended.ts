import assert from 'node:assert/strict';
import { answeredCall } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import type { SandboxMedia } from '../../src/providers/sandbox/media.ts';

export const TARGET = '+15005550101';
export const BRIEFING = 'Somebody asks about an invoice of March.';
/** The sounds that caller and target hear during a consultation. */
export const APART = [['hold-music'], ['agent']];

/** Attended transfers on a service whose phones are those of a sandbox. */
export function attendedTransfers(service: Service, media: SandboxMedia) {
  function transfer(call_id: string, body: object = {}) {
    const asked = { phone_number: TARGET, attended: true, ...body };
    return service.request('POST', `/api/sessions/${call_id}/transfer`, { body: asked });
  }

  async function attempt(call_id: string) {
    return (await service.request('GET', `/api/calls/${call_id}`)).body.transfers[0];
  }

  function becomes(call_id: string, status: string) {
    return eventually(
      () => attempt(call_id),
      (one) => one?.status === status,
    );
  }

  async function targetIn(room_name: string): Promise<string> {
    const all = await media.listParticipants(room_name);
    return all.find(({ identity }) => identity.startsWith('transfer-'))?.identity ?? assert.fail('no target');
  }

  /** The sounds that the caller and the target hear. */
  const heard = (room_name: string, target: string) => [
    media.heardBy(room_name, 'phone'),
    media.heardBy(room_name, target),
  ];

  /** A call whose agent talks to the target of a transfer. */
  async function consulting(fields: object = {}) {
    const call = await answeredCall(service, fields);
    const { status, body } = await transfer(call.call_id, { briefing: BRIEFING });
    assert.deepEqual([status, body.status, body.transfer_type], [200, 'initiated', 'WARM']);
    await becomes(call.call_id, 'connected');
    const target = await targetIn(call.room_name);
    await eventually(
      async () => heard(call.room_name, target),
      (all) => JSON.stringify(all) === JSON.stringify(APART),
    );
    return { ...call, target };
  }

  const complete = (call_id: string, query = '') =>
    service.request('POST', `/api/sessions/${call_id}/transfer/complete${query}`);
  return { transfer, complete, attempt, becomes, targetIn, heard, consulting };
}

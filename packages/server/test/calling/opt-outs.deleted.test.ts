import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAgent, placeCall, reaches, USER } from '@switchboard/testkit/calls.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { createSandboxMedia } from '../../src/providers/sandbox/media.ts';

test('a refusal counts although the agent was deleted during the call, also in a process that has not heard it before', async () => {
  const media = createSandboxMedia({ clock: systemClock, ringMs: 5 });
  const service = await startService({ media });
  const config = { compliance: { opt_out: { enabled: true, confirm: 'Goodbye.' } } };
  const agent_id = await createAgent(service, { config });
  const phone_number = '+15005550100';
  const { call_id, room_name } = await placeCall(service, phone_number, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  assert.equal((await service.request('DELETE', `/api/agents/${agent_id}`, { user: USER })).status, 204);
  const other = await startService({ media, database: service.database });
  const body = { content: 'Please take me off your list!', speaker: 'USER' };
  assert.equal((await other.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body })).status, 201);
  const path = `/api/suppressions?phone_number=${encodeURIComponent(phone_number)}`;
  const { items } = (await service.request('GET', path, { user: USER })).body;
  assert.deepEqual([items.length, items[0]?.call_id], [1, call_id]);
  // The agent may have been one that takes no refusals: nobody is cut off for that.
  const { call_status } = (await service.request('GET', `/api/calls/${call_id}/status`)).body;
  assert.equal(call_status, 'ANSWERED');
  await other.close();
  await service.close();
});

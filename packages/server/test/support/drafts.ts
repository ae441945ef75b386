import assert from 'node:assert/strict';
import { readScenario } from '@switchboard/scenarios/read';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { save, send } from './tests.ts';

export const at = (second: number) => `2026-01-15T09:30:${String(second).padStart(2, '0')}.000Z`;
/** A call of a tool, as a worker reports it. */
export const called = (second: number, name: string, result: string | null, is_error = false) => ({
  call_id: `${second}`,
  name,
  arguments: { second },
  result,
  is_error,
  called_at: at(second),
});

/** The end of a number that nobody has called yet: whoever refused calls is not called again. */
let next = 200;

/** A call in which words and tools follow one another by the second, as it is drafted. */
export async function draftOf(
  service: Service,
  config: object,
  said: [number, string, string][],
  more: Json,
  end?: (id: string) => Promise<unknown>,
) {
  const agent_id = await createAgent(service, { config });
  const { call_id, room_name } = await placeCall(service, `+15005550${next++}`, { agent_id });
  await reaches(service, call_id, 'ANSWERED');
  for (const [second, speaker, content] of said)
    await send(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, {
      speaker,
      content,
      timestamp: at(second),
    });
  if (Object.keys(more).length > 0) {
    const { status } = await service.request('POST', `/api/sessions/${call_id}/turns`, { body: more });
    assert.equal(status, 201);
  }
  await end?.(call_id);
  const { body } = await send(service, 'POST', `/api/calls/${call_id}/scenario`);
  await save(service, body.text);
  const { scenario } = readScenario(body.text);
  assert.ok(scenario);
  return { scenario, agent_id };
}

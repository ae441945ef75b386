// Operations that write to the same sessions, agents, users and days as others do at the same time.
import { createAgent, USER } from '@switchboard/testkit/calls.ts';
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { newId } from '../../src/lib/ids.ts';
import { extractor } from './analyses.ts';
import { tidy } from './tidy.ts';

/** Null: it has no response. */
export type Operation = (service: Service, index: number) => Promise<{ status: number } | null>;

interface Pools {
  agents: string[];
  /** Ended calls with transcripts. */
  ended: string[];
  /** Takes an open call of a phone that was called, and of one that has called. */
  takeOutbound: () => { id: string; room_name: string };
  takeInbound: () => { id: string; room_name: string };
}

export const of = <T>(list: readonly T[], index: number) => list[index % list.length] as T;

/** Requests by method and path, without ids, and those that were carried out at least once. */
const [asked, done] = [new Set<string>(), new Set<string>()];

/** Requests that were refused every time: nothing was tried by them. */
export const neverDone = () => [...asked].filter((one) => !done.has(one));

/** A request of the user. One that meets another is refused: only a failure of the service's own counts. */
async function ask(service: Service, method: string, path: string, body?: object, user = USER): Promise<Json> {
  const answer = await service.request(method, path, { user, ...(body && { body }) });
  const kind = `${method} ${path.replaceAll(/(?<=\/)(gone-)?[\da-f-]{36}/g, 'ID')}`;
  asked.add(kind);
  if (answer.status < 300) done.add(kind);
  if (answer.status >= 500) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.status < 300 ? answer.body : {};
}

const said = { speaker: 'USER', content: 'When do you open on Sunday?' };
const tomorrow = (hours = 0) => ({ at: new Date(Date.now() + (24 + hours) * 3_600_000).toISOString() });
const consent = {
  phone_number: '+15005550199',
  purpose: 'marketing',
  kind: 'express_written',
  text: 'Yes.',
  obtained_at: '2026-01-15T09:30:00.000Z',
  channel: 'form',
};

/** Sets prices and an extractor, and gives the ended calls transcripts. */
export async function prepare(service: Service, ended: string[], rooms: string[]): Promise<void> {
  const prices = ['telephony_minutes', 'media_minutes'].map((event_type) => {
    return { provider: 'sandbox', event_type, price: '1', billing_increment: '1/1', valid_from: '2020-01-01' };
  });
  await ask(service, 'PUT', '/api/prices', { entries: prices });
  await ask(service, 'POST', '/api/extractors', extractor('asked'));
  for (const index of ended.keys())
    await ask(service, 'POST', `/api/sessions/by-room/${of(rooms, index)}/transcripts`, said);
}

export const contending = (pools: Pools): Record<string, Operation> => ({
  ...onCalls(pools),
  ...onOwners(pools),
  ...onOutreach(pools),
});

const onCalls = ({ agents, takeOutbound, takeInbound }: Pools): Record<string, Operation> => ({
  'end an inbound call': (service) => service.request('POST', `/api/calls/${takeInbound().id}/end`, { user: USER }),
  'bill a departure that comes late': async (service) => {
    const { id, room_name } = takeOutbound();
    await ask(service, 'POST', `/api/calls/${id}/end`);
    const attributes = { 'sip.callStatus': 'hangup' };
    const participant = { sid: 'PA_1', identity: 'phone', kind: 'SIP', joinedAtMs: String(Date.now()), attributes };
    const createdAt = String(Math.floor(Date.now() / 1000) - 10);
    const event = { event: 'participant_left', id: `EV_${newId()}`, createdAt, room: { name: room_name }, participant };
    return service.request('POST', '/api/media/webhook', { body: event });
  },
  'transfer a call': async (service, index) => {
    if (index > 1) return null;
    const placed = { agent_id: of(agents, index), phone_number: '+15005550100' };
    const { call_id, room_name } = await ask(service, 'POST', '/api/calls/outbound', placed);
    const call = () => ask(service, 'GET', `/api/calls/${call_id}`);
    await eventually(call, ({ call_status }) => call_status === 'ANSWERED');
    const to = { phone_number: '+15005550101', type: 'WARM' };
    await Promise.all([
      ask(service, 'POST', `/api/sessions/${call_id}/transfer`, to),
      ask(service, 'POST', `/api/calls/${call_id}/outcome`, { answered_by: 'human' }),
      ask(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, said),
    ]);
    await eventually(call, ({ transfers }) => transfers[0].status !== 'pending');
    await Promise.all([
      ask(service, 'POST', `/api/sessions/${call_id}/transfer/complete`),
      ask(service, 'PATCH', `/api/sessions/${call_id}`, { metadata: { index } }),
    ]);
    return service.request('POST', `/api/calls/${call_id}/end`, { user: USER });
  },
});

const onOwners = ({ agents, ended }: Pools): Record<string, Operation> => ({
  'erase a user': async (service, index) => {
    if (index > 0) return null;
    const user_id = `gone-${newId()}`;
    const agent_id = await createAgent(service, { user_id });
    const { id } = await ask(service, 'POST', '/api/sessions/', { user_id, agent_id }, user_id);
    const cost = { quantity: 1, unit_cost: 1, total_cost: 1 };
    const used = { session_id: id, user_id, agent_id, provider: 'one', event_type: 'llm_tokens', ...cost };
    await ask(service, 'POST', '/api/usage/events', used, user_id);
    await ask(service, 'DELETE', `/api/users/${user_id}`, undefined, user_id);
    return null;
  },
  'delete what is past its retention': async (service, index) => {
    if (index > 0) return null;
    const past = new Date(Date.now() - 1_000);
    await service.database.db
      .updateTable('sessions')
      .set({ transcripts_until: past, recordings_until: past })
      .where('id', '=', of(ended, Math.floor(Math.random() * ended.length)))
      .execute();
    await tidy(service);
    return null;
  },
  'assign a number and release it': async (service, index) => {
    const agent_id = of(agents, index);
    const number = { agent_id, phone_number: `+1500555001${index % 10}` };
    await ask(service, 'POST', '/api/telephony/numbers/assign', number);
    await ask(service, 'POST', '/api/telephony/numbers/release', { agent_id });
    return null;
  },
  'draft, publish, release and roll back an agent': async (service, index) => {
    const agent = `/api/agents/${of(agents, index)}`;
    await ask(service, 'PUT', `${agent}/draft`, { name: `Desk ${index}`, config: { greeting: `Hello ${newId()}.` } });
    const { number = 1 } = await ask(service, 'POST', `${agent}/versions`, {});
    await ask(service, 'PUT', `${agent}/release`, { arms: [{ version: number, weight: 100 }] });
    await ask(service, 'POST', `${agent}/rollback`);
    return null;
  },
});

const onOutreach = ({ agents, ended }: Pools): Record<string, Operation> => ({
  'schedule a call, move and cancel it': async (service, index) => {
    const body = { agent_id: of(agents, index), phone_number: '+15005550100', ...tomorrow() };
    const { call_id } = await ask(service, 'POST', '/api/calls/outbound', body);
    await ask(service, 'PATCH', `/api/scheduled-calls/${call_id}`, tomorrow(1));
    return service.request('POST', `/api/scheduled-calls/${call_id}/cancel`, { user: USER });
  },
  'run a campaign': async (service, index) => {
    const { id } = await ask(service, 'POST', '/api/campaigns', { name: 'Renewals', agent_id: of(agents, index) });
    const recipients = ['+15005550001', '+15005550003'].map((phone_number) => ({ phone_number }));
    await ask(service, 'POST', `/api/campaigns/${id}/recipients`, { recipients });
    await ask(service, 'POST', `/api/campaigns/${id}/start`);
    await ask(service, 'POST', `/api/campaigns/${id}/pause`);
    return service.request('POST', `/api/campaigns/${id}/cancel`, { user: USER });
  },
  'suppress a number and lift that': async (service, index) => {
    const entries = [0, 1].map((one) => ({ phone_number: `+1500555019${(index + one) % 2}` }));
    await ask(service, 'POST', '/api/suppressions', { entries });
    const { items = [] } = await ask(service, 'GET', '/api/suppressions');
    for (const { id } of items) await ask(service, 'DELETE', `/api/suppressions/${id}`);
    return null;
  },
  'record a consent and revoke it': async (service) => {
    await ask(service, 'POST', '/api/consents', consent);
    const { items = [] } = await ask(service, 'GET', '/api/consents?limit=1');
    for (const { id } of items) await ask(service, 'POST', `/api/consents/${id}/revoke`);
    return null;
  },
  'hold a chat': async (service, index) => {
    const { chat_id } = await ask(service, 'POST', '/api/chats', { agent_id: of(agents, index) });
    await ask(service, 'POST', `/api/chats/${chat_id}/messages`, { content: said.content });
    return service.request('POST', `/api/chats/${chat_id}/end`, { user: USER });
  },
  'analyse a call': async (service, index) => {
    await ask(service, 'POST', `/api/calls/${of(ended, index)}/analyses`, { extractors: ['asked'] });
    return null;
  },
});

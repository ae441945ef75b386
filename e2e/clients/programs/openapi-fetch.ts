// A program of a customer, on types made by openapi-typescript.
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/schema';

const client = createClient<paths>({
  baseUrl: process.env.BASE_URL ?? '',
  headers: { authorization: `Bearer ${process.env.API_KEY}` },
});

async function main(): Promise<void> {
  const { data: agent } = await client.POST('/api/agents/', { body: { name: 'Front desk', user_id: 'user-1' } });
  if (!agent) throw new Error('no agent');
  const { data: call } = await client.POST('/api/calls/outbound', {
    body: { agent_id: agent.id, phone_number: '+15005550100' },
  });
  if (!call) throw new Error('no call');
  const path = { call_id: call.call_id };
  let status: components['schemas']['CallStatus'] | null = 'RINGING';
  while (status === 'RINGING') {
    const { data } = await client.GET('/api/calls/{call_id}/status', { params: { path } });
    status = data?.call_status ?? null;
  }
  if (status !== 'ANSWERED') throw new Error(`not answered: ${status}`);
  const { data: ended } = await client.POST('/api/calls/{call_id}/end', { params: { path } });
  if (ended?.call_status !== 'COMPLETED') throw new Error('not completed');
  const { data: page } = await client.GET('/api/calls/', { params: { query: { limit: 1 } } });
  if (page?.items[0]?.end_reason !== 'ended_by_user') throw new Error('not in the list');
  const { error } = await client.GET('/api/calls/{call_id}', { params: { path: { call_id: 'unknown' } } });
  if (!error || !('code' in error) || error.code !== 'not_found') throw new Error('no typed error');
}

void main().then(() => console.log('ok'));

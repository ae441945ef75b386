// A program of a customer, on a client made by @hey-api/openapi-ts.
import {
  type CallStatus,
  createAgent,
  endCall,
  getCall,
  getCallStatus,
  listCalls,
  startOutboundCall,
} from './generated/hey';
import { client } from './generated/hey/client.gen';

client.setConfig({ baseUrl: process.env.BASE_URL ?? '', auth: () => process.env.API_KEY });

async function main(): Promise<void> {
  const { data: agent } = await createAgent({ body: { name: 'Front desk', user_id: 'user-1' } });
  if (!agent) throw new Error('no agent');
  const { data: call } = await startOutboundCall({ body: { agent_id: agent.id, phone_number: '+15005550100' } });
  if (!call) throw new Error('no call');
  const path = { call_id: call.call_id };
  let status: CallStatus | null = 'RINGING';
  while (status === 'RINGING') status = (await getCallStatus({ path })).data?.call_status ?? null;
  if (status !== 'ANSWERED') throw new Error(`not answered: ${status}`);
  const { data: ended } = await endCall({ path });
  if (ended?.call_status !== 'COMPLETED') throw new Error('not completed');
  const { data: page } = await listCalls({ query: { limit: 1 } });
  if (page?.items[0]?.end_reason !== 'ended_by_user') throw new Error('not in the list');
  const { error } = await getCall({ path: { call_id: 'unknown' } });
  if (!error || !('code' in error) || error.code !== 'not_found') throw new Error('no typed error');
}

void main().then(() => console.log('ok'));

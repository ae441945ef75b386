// The server without a database: requests are read, validated and answered, but nothing is stored. An upper bound for
// the service.
import { callRoutes } from '../../packages/server/src/calling/calls/routes.ts';
import { usageRoutes } from '../../packages/server/src/ledger/usage/routes.ts';
import { newId } from '../../packages/server/src/lib/ids.ts';
import { serve } from './serve.ts';

const call = {
  id: newId(),
  room_name: `call-${newId()}`,
  status: 'ACTIVE',
  call_status: 'ANSWERED',
  call_direction: 'OUTBOUND',
  outbound_phone_number: '+15005550100',
  started_at: new Date(),
  ended_at: null,
  duration: null,
};

await serve((server) => {
  const log = async (input: object) => ({ agent_id: null, ...input, id: newId(), created_at: new Date() });
  usageRoutes(server, { usage: { log } } as never);
  callRoutes(server, { calls: { get: async () => call } } as never);
});

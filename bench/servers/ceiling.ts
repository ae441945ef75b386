// The server without a database: requests are read, validated and answered, but nothing is stored. An upper bound for
// the service.
import type { Calls } from '../../packages/server/src/calling/calls/calls.ts';
import { callRoutes } from '../../packages/server/src/calling/calls/routes.ts';
import { usageRoutes } from '../../packages/server/src/ledger/usage/routes.ts';
import type { Usage } from '../../packages/server/src/ledger/usage/usage.ts';
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
  // Typed, so that the compiler reports an operation that was renamed.
  const usage: Pick<Usage, 'log'> = {
    log: async (input) => ({ agent_id: null, ...input, id: newId(), created_at: new Date() }) as never,
  };
  const calls: Pick<Calls, 'state'> = { state: async () => call as never };
  usageRoutes(server, { usage: usage as Usage, list: undefined as never });
  callRoutes(server, calls as Calls);
});

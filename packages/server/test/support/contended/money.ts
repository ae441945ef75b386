// Operations on usage, prices and bills.

import { createCallRollups } from '../../../src/conversations/stats/rebuild.ts';
import { createRollups } from '../../../src/ledger/usage/rollups.ts';
import { turned } from './calls.ts';
import { asking, type Operation, of, type World } from './world.ts';

/** Records of the carrier that are imported each time: those of the last calls, whose costs change. */
const KEPT = 4;

export const onMoney = ({ user, agents, ended }: World): Record<string, Operation> => {
  const usageEvent = (index: number) => ({
    session_id: of(ended, index),
    user_id: user,
    agent_id: of(agents, index),
    provider: of(['one', 'two', 'three'], index),
    event_type: of(['llm_tokens', 'stt_minutes'], index),
    quantity: 1,
    unit_cost: 1,
    total_cost: 1,
  });
  return {
    'log a usage event': (service, index) =>
      service.request('POST', '/api/usage/events', { body: { ...usageEvent(index) } }),
    'log a batch of usage events': (service, index) =>
      service.request('POST', '/api/usage/events/batch', {
        body: { events: turned(index).map((at) => usageEvent(index + at)) },
      }),
    'change a budget': (service, index) =>
      service.request('PUT', `/api/budgets/${user}`, { body: { monthly_limit: 1e9 + index } }),
    'record and apply prices': async (service, index) => {
      const of_models = { event_type: 'llm_tokens', price: index, valid_from: '2026-01-01' };
      const entries = [{ provider: of(['one', 'two'], index), ...of_models }];
      await service.request('PUT', '/api/prices', { body: { entries } });
      return service.request('POST', '/api/prices/apply', { user });
    },
    'rebuild the rollups': async ({ database: { db } }, index) => {
      if (index > 0) return null;
      await createCallRollups(db).rebuild();
      await createRollups(db).rebuild(() => {});
      return null;
    },
  };
};

export const onBill = ({ user, bill, takeInbound }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'import what the carrier has billed': async (service) => {
      const { id } = takeInbound();
      await ask(service, 'POST', `/api/calls/${id}/end`);
      const at = new Date();
      bill.push({
        carrier_call_sid: `CA${id.replaceAll('-', '')}`,
        parent_call_sid: null,
        from: '+15005550002',
        to: '+15005550010',
        direction: 'INBOUND',
        started_at: at,
        ended_at: at,
        duration_s: 0,
        cost: '0.01',
        currency: 'USD',
      });
      bill.splice(0, bill.length - KEPT);
      for (const record of bill) record.cost = `0.0${1 + Math.floor(Math.random() * 9)}`;
      return service.request('POST', `/api/costs/carrier-import?date=${at.toISOString().slice(0, 10)}`);
    },
  };
};

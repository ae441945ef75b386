// Operations on calls of later, and on whom may be called.
import { asking, type Operation, of, type World } from './world.ts';

const tomorrow = (hours = 0) => ({ at: new Date(Date.now() + (24 + hours) * 3_600_000).toISOString() });
const consent = {
  phone_number: '+15005550199',
  purpose: 'marketing',
  kind: 'express_written',
  text: 'Yes.',
  obtained_at: '2026-01-15T09:30:00.000Z',
  channel: 'form',
};

export const onOutreach = ({ user, agents }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'schedule a call, move and cancel it': async (service, index) => {
      const body = { agent_id: of(agents, index), phone_number: '+15005550100', ...tomorrow() };
      const { call_id } = await ask(service, 'POST', '/api/calls/outbound', body);
      await ask(service, 'PATCH', `/api/scheduled-calls/${call_id}`, tomorrow(1));
      return service.request('POST', `/api/scheduled-calls/${call_id}/cancel`, { user });
    },
    'run a campaign': async (service, index) => {
      const { id } = await ask(service, 'POST', '/api/campaigns', { name: 'Renewals', agent_id: of(agents, index) });
      const recipients = ['+15005550001', '+15005550003'].map((phone_number) => ({ phone_number }));
      await ask(service, 'POST', `/api/campaigns/${id}/recipients`, { recipients });
      const campaign = `/api/campaigns/${id}`;
      await ask(service, 'POST', `${campaign}/start`);
      await Promise.all([
        ask(service, 'POST', `${campaign}/pause`),
        ask(service, 'PATCH', campaign, { name: 'Reminders' }),
      ]);
      await ask(service, 'POST', `${campaign}/resume`);
      const canceled = await service.request('POST', `${campaign}/cancel`, { user });
      await ask(service, 'DELETE', campaign);
      return canceled;
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
  };
};

// Operations on users, their agents and settings.
import { keysOf } from '@switchboard/testkit/keys.ts';
import { ensurePartitions } from '../../../src/db/partitions.ts';
import { newId } from '../../../src/lib/ids.ts';
import { tidy } from '../tidy.ts';
import { asking, CONFIG, type Operation, of, type World } from './world.ts';

const SINK = 'http://127.0.0.1:1/';
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

export const onAgents = ({ user, agents }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'change an agent': (service, index) =>
      service.request('PATCH', `/api/agents/${of(agents, index)}`, {
        body: { description: `${index}`, is_active: true },
      }),
    'draft, publish, release and roll back an agent': async (service, index) => {
      const agent = `/api/agents/${of(agents, index)}`;
      const config = { ...CONFIG, greeting: `Hello ${newId()}.` };
      await ask(service, 'PUT', `${agent}/draft`, { name: `Desk ${index}`, config });
      const { number = 1 } = await ask(service, 'POST', `${agent}/versions`, {});
      await ask(service, 'PUT', `${agent}/release`, { arms: [{ version: number, weight: 100 }] });
      await ask(service, 'POST', `${agent}/rollback`);
      return null;
    },
    'assign a number and release it': async (service, index) => {
      const agent_id = of(agents, index);
      const number = { agent_id, phone_number: `+1500555001${index % 10}` };
      await ask(service, 'POST', '/api/telephony/numbers/assign', number);
      await ask(service, 'POST', '/api/telephony/numbers/release', { agent_id });
      return null;
    },
  };
};

export const onOwners = ({ user, ended }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'redeliver callbacks': (service) =>
      service.request('POST', '/api/callbacks/redeliver', { user, body: { failed_since: '2026-01-01T00:00:00Z' } }),
    'change a webhook endpoint': async (service, index) => {
      // A host for each, because a user has few endpoints on one.
      const url = `https://receiver-${index}.invalid/`;
      const { id } = await ask(service, 'POST', '/api/webhook-endpoints', { url, is_active: true });
      const endpoint = `/api/webhook-endpoints/${id}`;
      await Promise.all([
        ask(service, 'POST', `${endpoint}/test`),
        ask(service, 'PATCH', endpoint, { url: `${url}${index}` }),
      ]);
      const { items = [] } = await ask(service, 'GET', '/api/callbacks?limit=2');
      await Promise.all([
        ...items.map((one: { id: string }) => ask(service, 'POST', `/api/callbacks/${one.id}/redeliver`)),
        service.request('DELETE', endpoint, { user }),
      ]);
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
  };
};

export const onSettings = ({ user, agents }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'use an agent that is deleted': async (service, index) => {
      const made = await ask(service, 'POST', '/api/agents/', { name: 'Back desk', user_id: user });
      const [agent, agent_id] = [`/api/agents/${made.id}`, made.id];
      const placed = { agent_id, phone_number: '+15005550001' };
      await Promise.all([
        ask(service, 'PATCH', agent, { description: 'x' }),
        ask(service, 'PUT', `${agent}/draft`, { name: 'Draft', config: {} }),
        ask(service, 'POST', '/api/calls/outbound', placed),
        ask(service, 'POST', '/api/calls/outbound', { ...placed, at: tomorrow() }),
        ask(service, 'POST', '/api/campaigns', { name: 'Renewals', agent_id }),
        ask(service, 'POST', '/api/sessions/', { user_id: user, agent_id }),
        ask(service, 'POST', '/api/telephony/numbers/assign', { agent_id, phone_number: `+1500555001${5 + index}` }),
        ask(service, 'DELETE', agent),
      ]);
      await ask(service, 'POST', '/api/telephony/numbers/release', { agent_id });
      await ask(service, 'DELETE', agent);
      return null;
    },
    'change what is set for a user and its agents': async (service, index) => {
      const agent = `/api/agents/${of(agents, index)}`;
      const keys = keysOf(service.database);
      const { id } = await keys.create({ name: 'x', role: 'user', user_id: user });
      await Promise.all([
        ask(service, 'PUT', `${agent}/callback-url`, { callback_url: SINK }),
        ask(service, 'PUT', `${agent}/external-key`, { external_key: `desk-${index}` }),
        ask(service, 'PUT', `${agent}/publishing`, { publishing: 'direct' }),
        ask(service, 'PUT', '/api/dial-policies/office', { min_gap_s: 60, is_default: false }),
        ask(service, 'POST', '/api/callbacks/secret/rotate', {}),
        // Deleted by then, if the user is erased.
        keys.revoke(id).catch(() => null),
      ]);
      await ask(service, 'PUT', `${agent}/callback-url`, { callback_url: null });
      return null;
    },
    'hold a user and an agent, redact what the user says, and lift that': async (service, index) => {
      const change = (body: object) => service.request('PATCH', `/api/users/${user}`, { body });
      const hold = (legal_hold: boolean) => [
        change({ legal_hold }),
        change({ privacy: legal_hold ? { redact: ['card'], keep: { transcripts_days: 30 } } : null }),
        service.request('PUT', `/api/agents/${of(agents, index)}/legal-hold`, { body: { legal_hold } }),
      ];
      await Promise.all(hold(true));
      await Promise.all(hold(false));
      return null;
    },
  };
};

export const onService = (): Record<string, Operation> => ({
  'run a round of maintenance, and retry work': async (service, index) => {
    if (index > 0) return null;
    const work = service.database.db.selectFrom('work').select('id').where('kind', '<>', 'retention').limit(5);
    await Promise.all([
      service.app.reconcile(),
      ...(await work.execute()).map(({ id }) => service.request('POST', `/api/work/${id}/retry`)),
    ]);
    return null;
  },
  'create partitions': ({ database }) => ensurePartitions(database.db, new Date()).then(() => null),
});

// Operations on conversations that go on.
import type { Json } from '@switchboard/testkit/client.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import type { Service } from '@switchboard/testkit/service.ts';
import { newId } from '../../../src/lib/ids.ts';
import { CALL_TOOL, FAILED_OVER, work } from './tasks.ts';
import { asking, type Operation, of, said, type World } from './world.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const onTalks = ({ user, agents }: World): Record<string, Operation> => {
  const ask = asking(user);

  async function answered(service: Service, agent_id: string) {
    const placed = { agent_id, phone_number: '+15005550100' };
    const { call_id, room_name } = await ask(service, 'POST', '/api/calls/outbound', placed);
    const call = () => ask(service, 'GET', `/api/calls/${call_id}`);
    await eventually(call, ({ call_status }) => call_status !== 'RINGING' && call_status !== 'INITIATED');
    const isDecided = ({ transfers }: Json) => transfers?.[0]?.status !== 'pending';
    const path = `/api/calls/${call_id}`;
    return { path, session: `/api/sessions/${call_id}`, room_name, transferred: () => eventually(call, isDecided) };
  }

  return {
    'transfer a call': async (service, index) => {
      if (index > 1) return null;
      const { path, session, room_name, transferred } = await answered(service, of(agents, index));
      const to = { phone_number: '+15005550101', type: 'WARM' };
      await Promise.all([
        ask(service, 'POST', `${session}/transfer`, to),
        ask(service, 'POST', `${path}/outcome`, { answered_by: 'human' }),
        ask(service, 'POST', `/api/sessions/by-room/${room_name}/transcripts`, said),
      ]);
      await transferred();
      await Promise.all([
        ask(service, 'POST', `${session}/transfer/complete`),
        ask(service, 'PATCH', session, { metadata: { index } }),
      ]);
      return service.request('POST', `${path}/end`, { user });
    },
    'consult a colleague, book a call back, and take a call over': async (service, index) => {
      if (index > 1) return null;
      const { path, session, transferred } = await answered(service, of(agents, index));
      const at = { date_time: `${inDays(2)}T12:00` };
      const to = { phone_number: '+15005550101', attended: true, briefing: 'An invoice of March.' };
      await Promise.all([
        ask(service, 'POST', `${session}/transfer`, to),
        ask(service, 'POST', `${session}/failovers`, { id: newId(), ...FAILED_OVER }),
        ask(service, 'POST', `${session}/call-backs/propose`, { ...at, time_zone: 'Europe/Berlin' }),
        ask(service, 'POST', `${path}/say`, { text: 'One moment, please.' }),
      ]);
      await transferred();
      await Promise.all([
        ask(service, 'POST', `${session}/transfer/complete?outcome=return`),
        ask(service, 'POST', `${session}/call-backs/confirm`, at),
        ask(service, 'POST', `${path}/instructions`, { text: 'Offer a refund.' }),
        ask(service, 'POST', `${path}/listen`),
      ]);
      await Promise.all([
        ask(service, 'POST', `${path}/take-over`),
        ask(service, 'POST', `${path}/dtmf`, { digits: '1' }),
      ]);
      return service.request('POST', `${path}/end`, { user });
    },
    'hold a chat, rewind, fork and end it': async (service, index) => {
      const { chat_id } = await ask(service, 'POST', '/api/chats', { agent_id: of(agents, index) });
      const chat = `/api/chats/${chat_id}`;
      const send = () => ask(service, 'POST', `${chat}/messages`, { content: said.content });
      await work({ service, ask, kind: 'chat_turn', until: send() }, ({ report, complete }) =>
        report(CALL_TOOL).then(() => complete({ content: 'At ten.' })),
      );
      const rewind = ask(service, 'POST', `${chat}/rewind`, { to_message: null });
      const [{ chat_id: forked }] = await Promise.all([ask(service, 'POST', `${chat}/fork`, {}), rewind]);
      await work({ service, ask, kind: 'chat_turn', until: send() }, ({ fail }) => fail(false));
      const asked = Promise.all([send(), ask(service, 'POST', `${chat}/end`)]);
      await work({ service, ask, kind: 'chat_turn', until: asked }, ({ complete }) => complete({ content: 'At ten.' }));
      await ask(service, 'POST', `/api/chats/${forked}/end`);
      return null;
    },
  };
};

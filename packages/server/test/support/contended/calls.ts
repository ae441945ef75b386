// Operations on calls.
import { recorder, segment } from '@switchboard/testkit/recordings.ts';
import { newId } from '../../../src/lib/ids.ts';
import { asking, type Operation, of, said, type World } from './world.ts';

export const onCalls = (world: World): Record<string, Operation> => {
  const { user, agents, ended, rooms, takeOutbound, takeInbound } = world;
  const ask = asking(user);
  return {
    'correct an outcome': (service, index) =>
      service.request('POST', `/api/calls/${of(ended, index)}/outcome`, {
        user,
        body: { answered_by: of(['human', 'voicemail', 'ivr'], Math.floor(Math.random() * 3)) },
      }),
    'correct a duration': (service, index) => {
      const duration = 10 ** (index % 3);
      return service.request('PATCH', `/api/sessions/${of(ended, index + 1)}`, {
        body: { duration, metadata: { duration } },
      });
    },
    'end a call': (service) => service.request('POST', `/api/calls/${takeOutbound().id}/end`, { user }),
    'end an inbound call': (service) => service.request('POST', `/api/calls/${takeInbound().id}/end`, { user }),
    'place a call': (service, index) => {
      const body = { agent_id: of(agents, index), phone_number: '+15005550001' };
      return service.request('POST', '/api/calls/outbound', { user, body });
    },
    'call from a browser': (service, index) =>
      service.request('POST', '/api/calls/web', { user, body: { agent_id: of(agents, index) } }),
    'bill a departure that comes late': async (service) => {
      const { id, room_name } = takeOutbound();
      await ask(service, 'POST', `/api/calls/${id}/end`);
      const attributes = { 'sip.callStatus': 'hangup' };
      const participant = { sid: 'PA_1', identity: 'phone', kind: 'SIP', joinedAtMs: String(Date.now()), attributes };
      const createdAt = String(Math.floor(Date.now() / 1000) - 10);
      const body = {
        event: 'participant_left',
        id: `EV_${newId()}`,
        createdAt,
        room: { name: room_name },
        participant,
      };
      return service.request('POST', '/api/media/webhook', { body });
    },
    'add a transcript': (service, index) =>
      service.request('POST', `/api/sessions/by-room/${of(rooms, index)}/transcripts`, { body: { content: 'Hello' } }),
    'add turns': (service, index) =>
      service.request('POST', `/api/sessions/${of(ended, index)}/turns`, { body: turnsOf(index) }),
  };
};

/** Reports of workers on sessions, and what is recorded of them. */
export const onReports = ({ user, agents, ended, rooms }: World): Record<string, Operation> => {
  const ask = asking(user);
  return {
    'open a session, and end it by its room': async (service, index) => {
      const room = { user_id: user, agent_id: of(agents, index), room_name: `room-${newId()}` };
      await ask(service, 'POST', '/api/sessions/', room);
      const path = `/api/sessions/by-room/${room.room_name}`;
      await Promise.all([ask(service, 'POST', `${path}/transcripts`, said), ask(service, 'POST', `${path}/end`)]);
      return null;
    },
    'record a call, and delete the recording': async (service, index) => {
      const call_id = of(ended, index);
      const { recording_id, report, add } = recorder(service, call_id);
      await report('recording');
      await Promise.all([add(segment(1)), add(segment(0))]);
      await report('ended', { segments: 3 });
      await Promise.all([
        add(segment(2)),
        ask(service, 'DELETE', `/api/calls/${call_id}/recordings/${recording_id}`),
        ask(service, 'POST', `/api/sessions/by-room/${of(rooms, index)}/transcripts`, said),
      ]);
      return null;
    },
  };
};

let turnIndex = 0;

/** The keys of rollups, each time in the opposite order. */
export const turned = (index: number) => (index % 2 ? [0, 1, 2] : [2, 1, 0]);

function turnsOf(index: number) {
  const at = new Date().toISOString();
  const turns = turned(index).map((which) => ({
    turn_index: turnIndex++,
    model: of(['one', 'two', 'three'], which),
    end_of_speech_at: at,
    transcript_ms: 10 ** (which + 1),
  }));
  const call = { name: 'free_slots', arguments: { day: '2026-01-16' }, result: '{}', called_at: at };
  return { turns, tool_calls: [0, 1].map(() => ({ call_id: newId(), ...call })) };
}

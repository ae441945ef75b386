import type { Cause } from '../../src/calling/conductor/seen.ts';
import * as seen from '../support/conductor.ts';

const { agent, answered, at, browser, conversation, ended, joined, left, phone, ringing, round } = seen;
const IN = ringing('INBOUND');
const WEB = ringing(null);
const ROOM_ENDED: Cause = { kind: 'room_ended', time: { created_at: null, received_at: at(30) } };
const audio: Cause = { kind: 'audio_started', identity: 'agent', time: { created_at: null, received_at: at(12) } };

seen.checkDecisions({
  // A call to a phone that rings: only its dialing process receives the SIP status.
  'a refused phone leaves': { call: ringing('OUTBOUND'), cause: left(phone('hangup')), decision: '' },
  'the room of a ringing phone ends': { call: ringing('OUTBOUND'), cause: ROOM_ENDED, decision: '' },
  'the agent joins while the phone rings': {
    call: ringing('OUTBOUND'),
    cause: joined(agent()),
    decision: 'recordAgent 1',
  },
  'the event of the agent is lost while the phone rings': {
    call: ringing('OUTBOUND'),
    cause: { kind: 'watch' },
    present: [phone('ringing'), agent()],
    decision: 'recordAgent 1',
  },
  'the phone was answered, and its dialing process does not know': {
    call: ringing('OUTBOUND', { agent_joined_at: at(5) }),
    cause: round(),
    present: [phone('active'), agent()],
    isDialed: true,
    decision: 'answered 30',
  },
  'the dialing process is gone and the phone still rings': {
    call: ringing('OUTBOUND'),
    cause: round(),
    present: [phone('ringing')],
    decision: '',
  },
  'the dialing process is gone and the phone has rung for too long': {
    call: ringing('OUTBOUND'),
    cause: round(),
    present: [phone('ringing')],
    now: 46,
    decision: 'failed interrupted 46',
  },
  'the dialing process is gone and so is the phone': {
    call: ringing('OUTBOUND'),
    cause: round(),
    present: [],
    decision: 'look',
  },
  'the dialing process and the phone have been gone for long': {
    call: ringing('OUTBOUND'),
    cause: round({ missingSince: at(20) }),
    present: [],
    decision: 'failed interrupted 30',
  },
  'a phone that rings here has no room yet': {
    call: ringing('OUTBOUND'),
    cause: round({ people: null, missingSince: at(0) }),
    isDialed: true,
    decision: '',
  },
  'media server and dialing process have died while the phone rang': {
    call: ringing('OUTBOUND'),
    cause: round({ isAbandoned: true }),
    decision: 'failed interrupted 30',
  },
  // After the end.
  'a participant recreates the room of an ended call': {
    call: ended(),
    cause: joined(phone('ringing')),
    decision: 'hangUp',
  },
  'the agent’s join is handled after the end': {
    call: ended({ agent_joined_at: null }),
    cause: joined(agent({ joined_at: at(12) })),
    decision: 'recordAgent 12, hangUp',
  },
  'an event comes after the end': { call: ended(), cause: left(phone('hangup')), decision: '' },
  // Inbound calls.
  'a caller joins': { call: IN, cause: joined(phone('ringing')), decision: 'dispatch' },
  'a caller gives up while it rings': { call: IN, cause: left(phone('hangup')), present: [], decision: 'hangup 30' },
  'a caller gives up before the agent sends audio': {
    call: IN,
    cause: left(phone('hangup')),
    present: [agent()],
    decision: 'hangup 30, recordAgent 1',
  },
  'a caller leaves after the agent’s audio, whose event is late': {
    call: IN,
    cause: left(phone('hangup'), 'left', 30, at(28)),
    present: [agent({ audio_at: at(8) })],
    decision: 'answered 9, hangup 29, recordAgent 1',
  },
  'the agent’s audio starts after a caller has given up, whose event is late': {
    call: IN,
    cause: left(phone('hangup'), 'left', 30, at(28)),
    present: [agent({ audio_at: at(29) })],
    decision: 'hangup 29, recordAgent 1',
  },
  'the event of the agent’s audio comes before the one of the caller’s leaving': {
    call: IN,
    cause: audio,
    present: [agent()],
    decision: 'recordAgent 1',
  },
  'an answered caller loses its audio before the answer is known': {
    call: IN,
    cause: left(phone('active', 'sip', { joined_at: null }), 'lost'),
    present: [],
    decision: 'answered 30, failed media_lost 30',
  },
  'the agent’s audio starts': {
    call: IN,
    cause: audio,
    present: [phone('ringing'), agent()],
    decision: 'answered 12, recordAgent 1',
  },
  'somebody else’s audio starts': {
    call: IN,
    cause: { ...audio, identity: 'phone' },
    present: [phone('ringing'), agent()],
    decision: 'recordAgent 1',
  },
  'no event says that the bridge has answered': {
    call: IN,
    cause: { kind: 'watch' },
    present: [phone('active'), agent()],
    decision: 'answered 30, recordAgent 1',
  },
  'the bridge calls a caller active that no agent hears': {
    call: IN,
    cause: { kind: 'watch' },
    present: [phone('active')],
    decision: '',
  },
  'a caller waits for a worker whose dispatch may be lost': {
    call: IN,
    cause: round(),
    present: [phone('ringing')],
    now: 8,
    decision: 'dispatch',
  },
  'no worker comes to a caller': {
    call: IN,
    cause: round(),
    present: [phone('ringing')],
    now: 21,
    decision: 'failed agent_never_joined 21',
  },
  'the caller is gone, and its event is awaited': { call: IN, cause: round(), present: [], now: 8, decision: 'look' },
  'the caller is gone, and its event is lost': {
    call: IN,
    cause: round({ missingSince: at(2) }),
    present: [],
    now: 8,
    decision: 'hangup 2',
  },
  'the caller has given up and is still listed': {
    call: IN,
    cause: round({ missingSince: at(2) }),
    present: [phone('hangup')],
    now: 8,
    decision: 'hangup 2',
  },
  // Calls in browsers.
  'the agent joins a browser': {
    call: WEB,
    cause: joined(agent()),
    present: [browser, agent()],
    decision: 'answered 30, recordAgent 1',
  },
  'the agent waits for a browser': { call: WEB, cause: joined(agent()), present: [agent()], decision: 'recordAgent 1' },
  'the page is closed before the agent comes': { call: WEB, cause: left(browser), present: [], decision: 'hangup 30' },
  'no worker comes to a browser': {
    call: WEB,
    cause: round(),
    present: [browser],
    decision: 'failed agent_never_joined 30',
  },
  'the page never joins': {
    call: WEB,
    cause: round(),
    present: [agent()],
    now: 61,
    decision: 'failed browser_never_joined 61, recordAgent 1',
  },
  'the page is closed': { call: answered(null), cause: left(browser), present: [agent()], decision: 'hangup 30' },
  // Conversations that are not calls.
  'a conversation’s room ends': {
    call: conversation(),
    cause: ROOM_ENDED,
    present: [],
    decision: 'room_ended 30',
  },
  'a late event of a former room': {
    call: conversation(),
    cause: ROOM_ENDED,
    present: [agent()],
    decision: '',
  },
});

import type { Cause } from '../../src/calling/conductor/seen.ts';
import * as seen from '../support/conductor.ts';

const { agent, answered, at, joined, left, phone, round, target } = seen;
const OUT = answered('OUTBOUND');
const pending = seen.transfer();
const connected = seen.transfer({ status: 'connected' });
const attended = seen.transfer({ status: 'connected', is_attended: true });
const cold = seen.transfer({ transfer_type: 'COLD' });
const lateAgent = answered('OUTBOUND', { agent_joined_at: null });
const warmFailed: Cause = { kind: 'transfer_failed', transfer_type: 'WARM' };
const coldFailed: Cause = { kind: 'transfer_failed', transfer_type: 'COLD' };

seen.checkDecisions({
  // An answered call with its own phone.
  'the phone hangs up': { call: OUT, cause: left(phone('hangup')), present: [agent()], decision: 'hangup 30' },
  'the phone sends no audio': {
    call: OUT,
    cause: left(phone('active'), 'lost'),
    present: [agent()],
    decision: 'failed media_lost 30',
  },
  'the worker leaves: the phone is hung up now, not when the event was sent': {
    call: OUT,
    cause: left(agent(), 'left', 25),
    present: [phone('active')],
    decision: 'hangup 30',
  },
  'the worker has died': {
    call: OUT,
    cause: left(agent(), 'lost'),
    present: [phone('active')],
    decision: 'failed media_lost 30',
  },
  'the worker leaves, and the event of its joining was lost': {
    call: lateAgent,
    cause: left(agent()),
    present: [phone('active')],
    decision: 'hangup 30',
  },
  'the caller alone waits for the agent': {
    call: lateAgent,
    cause: round(),
    present: [phone('active')],
    now: 29,
    decision: '',
  },
  'no worker comes': {
    call: lateAgent,
    cause: round(),
    present: [phone('active')],
    now: 31,
    decision: 'failed agent_never_joined 31',
  },
  'the worker has come four seconds late, and its event is lost for minutes': {
    call: lateAgent,
    cause: round(),
    present: [phone('active'), agent({ joined_at: at(14) })],
    now: 200,
    decision: 'recordAgent 14',
  },
  'the phone is gone and nobody has said so': {
    call: OUT,
    cause: round({ people: 0 }),
    present: [agent()],
    decision: 'look',
  },
  'the phone has been gone for longer than a reconnect takes': {
    call: OUT,
    cause: round({ missingSince: at(24) }),
    present: [agent()],
    decision: 'hangup 24',
  },
  'the phone has hung up, but is still listed': {
    call: OUT,
    cause: round(),
    present: [phone('hangup'), agent()],
    decision: 'look',
  },
  'the phone has hung up and is still listed: the media server has missed that it left': {
    call: OUT,
    cause: round({ missingSince: at(24) }),
    present: [phone('hangup'), agent()],
    decision: 'hangup 24',
  },
  'the worker has been gone for longer than a reconnect takes: the phone is hung up now': {
    call: OUT,
    cause: round({ missingSince: at(24) }),
    present: [phone('active')],
    decision: 'hangup 30',
  },
  'the bridge was killed: the server counts nobody, but lists the phone': {
    call: OUT,
    cause: round({ people: 0, missingSince: at(20) }),
    present: [phone('active'), agent()],
    decision: 'look',
  },
  'the bridge was killed twenty seconds ago': {
    call: OUT,
    cause: round({ people: 0, missingSince: at(9) }),
    present: [phone('active'), agent()],
    decision: 'failed media_lost 9',
  },
  'the media server was killed: its room stays listed': {
    call: OUT,
    cause: round({ isAbandoned: true }),
    decision: 'room_ended 30',
  },
  'the room is gone': { call: OUT, cause: round({ people: null }), decision: 'look' },
  'the room has been gone for long': {
    call: OUT,
    cause: round({ people: null, missingSince: at(24) }),
    decision: 'room_ended 24',
  },
  'the old connection of a reconnected phone ends': {
    call: OUT,
    cause: left(phone('active'), 'replaced'),
    decision: '',
  },
  'the old connection of the phone ends while the new one is there': {
    call: OUT,
    cause: left(phone('hangup')),
    present: [phone('active', 'phone', { sid: 'phone-2' }), agent()],
    decision: '',
  },
  'Redis was away during the answer: the phone leaves as if it were still dialing': {
    call: OUT,
    cause: left(phone('dialing')),
    decision: '',
  },
  'a reconnected bridge shows the answered phone as dialing': {
    call: OUT,
    cause: round(),
    present: [phone('dialing'), agent()],
    decision: '',
  },
  'the media server was restarted: a second worker replaces the first': {
    call: OUT,
    cause: joined(agent({ sid: 'agent-2' })),
    present: [phone('active'), agent(), agent({ identity: 'agent-b', joined_at: at(9) })],
    decision: 'remove',
  },
  'a second agent with another name stays': {
    call: OUT,
    cause: joined(agent({ sid: 'agent-2' })),
    present: [phone('active'), agent(), agent({ identity: 'b', joined_at: at(9), agent_name: 'other' })],
    decision: '',
  },
  'the call is longer than it may be': {
    call: OUT,
    cause: round(),
    present: [],
    now: 3_611,
    decision: 'max_duration 3611',
  },
  'the provider has hung up at its own limit': {
    call: OUT,
    cause: left(phone('hangup'), 'left', 3_611),
    present: [agent()],
    now: 3_611,
    decision: 'max_duration 3611',
  },
  // Warm transfers.
  'the target answers, and its process has died': {
    call: OUT,
    cause: round({ people: 2 }),
    transfer: pending,
    present: [phone('active'), target('active'), agent()],
    decision: 'connectTransfer',
  },
  'the target answers while the caller is gone': {
    call: OUT,
    cause: left(target('active'), 'removed'),
    transfer: pending,
    present: [agent()],
    decision: 'endTargetLine',
  },
  'the target hangs up; another transfer can begin': {
    call: OUT,
    cause: left(target('hangup')),
    transfer: connected,
    present: [phone('active'), agent()],
    decision: 'endTargetLine, failTransfer hangup',
  },
  'the target has hung up and is still listed; another transfer can begin': {
    call: OUT,
    cause: round({ people: 2, missingSince: at(24) }),
    transfer: connected,
    present: [phone('active'), target('hangup'), agent()],
    decision: 'failTransfer hangup',
  },
  'the agent drops out while the target rings': {
    call: OUT,
    cause: left(agent()),
    transfer: pending,
    present: [phone('active'), target('ringing')],
    decision: '',
  },
  'the agent drops out before the target has joined': {
    call: OUT,
    cause: left(agent()),
    transfer: pending,
    present: [phone('active')],
    decision: '',
  },
  'the agent drops out of a connected transfer': {
    call: OUT,
    cause: left(agent()),
    transfer: connected,
    present: [phone('active'), target('active')],
    decision: 'completeTransfer',
  },
  'the agent has dropped out, then the target hangs up': {
    call: OUT,
    cause: left(target('hangup')),
    present: [phone('active')],
    decision: 'hangup 30, endTargetLine',
  },
  'the agent has dropped out, then the caller hangs up': {
    call: OUT,
    cause: left(phone('hangup')),
    present: [target('active')],
    decision: 'hangup 30',
  },
  'dialling the target has failed after the agent has left': {
    call: OUT,
    cause: warmFailed,
    present: [phone('active')],
    decision: 'hangup 30',
  },
  'dialling the target has failed while caller or agent reconnect': {
    call: OUT,
    cause: warmFailed,
    present: [agent()],
    decision: 'look',
  },
  'a warm transfer whose process has died': {
    call: OUT,
    cause: round(),
    transfer: pending,
    present: [phone('active'), agent()],
    now: 141,
    decision: 'failTransfer interrupted',
  },
  'a consultation, which each round looks after': {
    call: OUT,
    cause: round({ people: 2 }),
    transfer: attended,
    present: [phone('active'), agent(), target('active')],
    decision: 'tendConsultation',
  },
  'the answer to a consultation, which nobody else may look after': {
    call: OUT,
    cause: round({ people: 2 }),
    transfer: seen.transfer({ is_attended: true }),
    present: [phone('active'), agent(), target('active')],
    decision: 'connectTransfer, tendConsultation',
  },
  'the agent leaves a consultation': {
    call: OUT,
    cause: left(agent()),
    transfer: attended,
    present: [phone('active'), target('active')],
    decision: 'completeTransfer',
  },
  // Cold transfers.
  'the phone takes the REFER and leaves': {
    call: OUT,
    cause: left(phone('hangup')),
    transfer: cold,
    present: [agent()],
    decision: '',
  },
  'the caller hung up while the REFER failed': {
    call: OUT,
    cause: coldFailed,
    present: [agent()],
    decision: 'hangup 30',
  },
  'the REFER is refused; the call goes on': {
    call: OUT,
    cause: coldFailed,
    present: [phone('active'), agent()],
    decision: '',
  },
  'a cold transfer whose process has died': {
    call: OUT,
    cause: round(),
    transfer: cold,
    present: [phone('active'), agent()],
    now: 141,
    decision: 'failTransfer interrupted',
  },
});

// Ends that are learned of late: while a call goes on, and after it has ended.
import * as seen from '../support/conductor.ts';

const { agent, answered, at, ended, left, phone } = seen;
const OUT = answered('OUTBOUND');

seen.checkDecisions({
  'the room ends, which is learned of late': {
    call: OUT,
    cause: { kind: 'room_ended', time: { created_at: at(25), received_at: at(39) } },
    present: [],
    known: [phone('active'), agent()],
    now: 40,
    decision: 'hangup 26',
  },
  'the room ends by a clock that is behind': {
    call: OUT,
    cause: { kind: 'room_ended', time: { created_at: at(25), received_at: at(39) } },
    present: [],
    known: [phone('active', 'phone', { joined_at: at(-30) }), agent()],
    now: 40,
    decision: 'hangup 39',
  },
  'the room ends, of whose people nothing is known': {
    call: OUT,
    cause: { kind: 'room_ended', time: { created_at: at(25), received_at: at(39) } },
    present: [],
    now: 40,
    decision: 'hangup 39',
  },
  'a phone has left before the call began, by a clock that is wrong': {
    call: answered('OUTBOUND', { started_at: at(10) }),
    cause: left(phone('hangup', 'phone', { joined_at: at(9) }), 'left', 40, at(-3_600)),
    present: [agent()],
    now: 40,
    decision: 'hangup 40',
  },
  'a phone is learned to have left an ended call when it ended': {
    call: ended({ ended_at: at(30), updated_at: at(30) }),
    cause: left(phone('hangup'), 'left', 31, at(29)),
    decision: '',
  },
  'a phone is learned to have left an ended call before': {
    call: ended({ ended_at: at(30), updated_at: at(30) }),
    cause: left(phone('hangup'), 'left', 31, at(25)),
    decision: 'adjustLine',
  },
  'a phone has left before a call was ended with the figures of its worker': {
    call: ended({ ended_at: at(25), updated_at: at(30) }),
    cause: left(phone('hangup'), 'left', 31, at(25)),
    decision: 'adjustLine',
  },
  'a phone is learned to have left a call that was never answered': {
    call: ended({ started_at: null, ended_at: at(30), updated_at: at(30) }),
    cause: left(phone('hangup'), 'left', 31, at(25)),
    decision: '',
  },
  'the agent is learned to have left an ended call before': {
    call: ended({ ended_at: at(30), updated_at: at(30) }),
    cause: left(agent(), 'left', 31, at(25)),
    decision: '',
  },
  'the room of an ended call is learned to have ended before': {
    call: ended({ ended_at: at(30), updated_at: at(30) }),
    cause: { kind: 'room_ended', time: { created_at: at(25), received_at: at(31) } },
    decision: 'adjustLine',
  },
  'the room of a call that ended some time ago is closed': {
    call: ended({ ended_at: at(20), updated_at: at(25) }),
    cause: { kind: 'room_ended', time: { created_at: at(30), received_at: at(31) } },
    decision: '',
  },
});

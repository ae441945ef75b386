// Somebody who talks in place of the agent is nobody without whom a call begins, goes on or ends.
import * as seen from '../support/conductor.ts';

const { agent, answered, browser, colleague, left, phone, round } = seen;
const OUT = answered('OUTBOUND');

seen.checkDecisions({
  'the worker has died while a colleague talks in its place': {
    call: OUT,
    cause: left(agent(), 'lost'),
    present: [phone('active'), colleague],
    decision: 'failed media_lost 30',
  },
  'the worker of a call in a browser has died while a colleague talks in its place': {
    call: answered(null),
    cause: left(agent()),
    present: [browser, colleague],
    decision: 'hangup 30',
  },
  'the phone hangs up on a colleague': {
    call: OUT,
    cause: left(phone('hangup')),
    present: [agent(), colleague],
    decision: 'hangup 30',
  },
  'a colleague does not answer a call in a browser': {
    call: seen.ringing(null),
    cause: round(),
    present: [agent(), colleague],
    now: 61,
    decision: 'failed browser_never_joined 61, recordAgent 1',
  },
});

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PORTS, type SipLab, sippOptions, startSipp } from './network.ts';
import { jump, label, receive, scenario, sdp, send } from './scenario.ts';
import { createTraceReader, type Dialogue } from './trace.ts';

/** The behavior of a caller after its INVITE. */
interface Plan {
  /** When it hangs up, in ms after the answer. */
  talkMs: number;
  /** When it gives up, in ms after its INVITE. */
  patienceMs?: number;
  /** Characters of its display name. */
  nameLength?: number;
  /** Whether its caller id is a national number, without a plus sign and the country. */
  isNational?: boolean;
  /** Headers of its INVITE beside the usual ones, a line each. */
  headers?: string[];
  /** Another program's port, which has its audio. */
  audioPort?: number;
}

export interface Caller {
  number: string;
  /** The messages seen so far; `from: 'bridge'` marks those it received. */
  dialogue(): Promise<Dialogue | undefined>;
  /** Kills the caller's phone, without a BYE. */
  kill(): Promise<void>;
}

const VIA = 'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]';
/** A CANCEL and the ACK of a refusal belong to the INVITE's transaction. */
const SAME_VIA = '[last_Via:]';
const PATIENCE_MS = 60_000;
const [HANG_UP, GIVE_UP, BYE, REFUSED, DONE] = [1, 2, 3, 4, 9];
let calls = 0;

/** Calls one of our numbers through the bridge, from a new phone. */
export async function callIn(lab: SipLab, to: string, plan: Plan): Promise<Caller> {
  const index = calls++;
  const number = `+1415555${String(3000 + index)}`;
  const [file, trace] = [path.join(lab.dir, `caller-${index}.xml`), path.join(lab.dir, `caller-${index}.log`)];
  const callerId = plan.isNational ? number.slice('+1'.length) : number;
  await writeFile(file, caller(callerId, plan, path.join(lab.dir, 'silence.ul')));
  const ports = ['-p', String(5200 + index), '-mp', String(50_000 + 4 * index)];
  const args = ['-sf', file, ...ports, '-m', '1', '-s', to, ...sippOptions(trace), `127.0.0.1:${PORTS.bridge}`];
  const phone = startSipp(lab.dir, args);
  const read = createTraceReader(trace);
  return { number, dialogue: async () => (await read())[0], kill: async () => void (await phone.end('SIGKILL')) };
}

function caller(number: string, plan: Plan, audio: string): string {
  const { talkMs, patienceMs = PATIENCE_MS, nameLength = 0, headers = [], audioPort } = plan;
  const request = (method: string, cseq: string, to: string, body: string[] = [], via = VIA) =>
    send(
      [
        `${method} sip:[service]@[remote_ip]:[remote_port] SIP/2.0`,
        via,
        `From: ${nameLength > 0 ? `"${'x'.repeat(nameLength)}" ` : ''}<sip:${number}@[local_ip]>;tag=[pid]-[call_number]`,
        to,
        'Call-ID: [call_id]',
        `CSeq: ${cseq}`,
        'Max-Forwards: 70',
        'Contact: <sip:caller@[local_ip]:[local_port]>',
        ...(method === 'INVITE' ? headers : []),
      ],
      body,
      method !== 'ACK',
    );
  const to = 'To: <sip:[service]@[remote_ip]>[peer_tag_param]';
  const patience = ` timeout="${patienceMs}" ontimeout="${GIVE_UP}"`;
  const refusals = [404, 480, 486, 487, 500, 503, 603];
  return scenario('caller', [
    request('INVITE', '1 INVITE', 'To: <sip:[service]@[remote_ip]>', sdp('pcmu', audioPort)),
    // Only the message at which SIPp waits is timed.
    ...[100, 180, 183].map((status) => `<recv response="${status}" optional="true"${patience}/>`),
    ...refusals.map((status) => `<recv response="${status}" optional="true" next="${REFUSED}"/>`),
    `<recv response="200"${patience}/>`,
    request('ACK', '1 ACK', to),
    ...(audioPort ? [] : [`<nop><action><exec rtp_stream="${audio},-1,0,PCMU/8000"/></action></nop>`]),
    receive({ method: 'BYE', next: BYE, within: [talkMs, HANG_UP] }),
    label(HANG_UP),
    request('BYE', '2 BYE', to),
    `<recv response="200" next="${DONE}"/>`,
    label(GIVE_UP),
    request('CANCEL', '1 CANCEL', 'To: <sip:[service]@[remote_ip]>', [], SAME_VIA),
    `<recv response="200" optional="true"/>\n<recv response="487" next="${REFUSED}" timeout="5000" ontimeout="${DONE}"/>`,
    label(BYE),
    send(['SIP/2.0 200 OK', '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]']),
    jump(DONE),
    label(REFUSED),
    request('ACK', '1 ACK', to, [], SAME_VIA),
    label(DONE),
  ]);
}

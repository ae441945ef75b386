/** Text of a SIPp scenario, built from its steps. */

const SDP = {
  /** Codecs that the bridge offers as well. */
  pcmu: ['m=audio [auto_media_port] RTP/AVP 0 101', 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:101 telephone-event/8000'],
  /** Codecs that the bridge does not offer. */
  g729: ['m=audio [auto_media_port] RTP/AVP 18', 'a=rtpmap:18 G729/8000'],
};

const header = (name: string, variable: string, pattern = '.*') =>
  `<ereg regexp="${pattern}" search_in="hdr" header="${name}:" assign_to="${variable}"/>`;

/** Actions that keep what answers to an INVITE, and requests of the phone's own, repeat of it. */
export const READ_INVITE = [
  '<ereg regexp="sip:[+]1415([0-9]{3})([0-9]{4})@" search_in="hdr" header="To:" assign_to="match,digits,line"/>',
  [header('From', 'from'), header('To', 'to'), header('Via', 'via'), header('CSeq', 'cseq', ' *[0-9]+')],
  '<ereg regexp="sip:[^&gt;]*" search_in="hdr" header="Contact:" assign_to="contact"/>',
  '<todouble assign_to="phone" variable="digits"/>',
]
  .flat()
  .join('');

/** The port of the handset of the phone that an INVITE has called: 10000 and the last four digits of its number. */
export const HANDSET_PORT = '1[$line]';

/** A session description from the phone; by default its audio is SIPp's. */
export function sdp(codec: keyof typeof SDP, audioPort?: number | string): string[] {
  return [
    'v=0',
    'o=phone 1 1 IN IP4 [local_ip]',
    's=-',
    'c=IN IP4 [media_ip]',
    't=0 0',
    ...SDP[codec].map((line) => (audioPort ? line.replace('[auto_media_port]', String(audioPort)) : line)),
    'a=ptime:20',
    'a=sendrecv',
  ];
}

/**
 * Sends a message: its first line and headers, and an optional body. `retrans` repeats it until it is
 * acknowledged.
 */
export function send(lines: string[], body: string[] = [], retrans = false): string {
  const type = body.length > 0 ? ['Content-Type: application/sdp'] : [];
  const text = [...lines, ...type, 'Content-Length: [len]', '', ...body].join('\n');
  return `<send${retrans ? ' retrans="500"' : ''}><![CDATA[\n\n${text}\n\n]]></send>`;
}

/** Answers the latest request. */
export function reply(status: string, body: string[] = [], headers: string[] = []): string {
  const echoed = [
    '[last_Via:]',
    '[last_From:]',
    '[last_To:];tag=[pid]-[call_number]',
    '[last_Call-ID:]',
    '[last_CSeq:]',
  ];
  const contact = 'Contact: <sip:phone@[local_ip]:[local_port];transport=[transport]>';
  return send([`SIP/2.0 ${status}`, ...echoed, contact, ...headers], body);
}

/** Answers a request inside the dialog, which already has the phone's tag. */
export function replyInside(status: string): string {
  return send([`SIP/2.0 ${status}`, '[last_Via:]', '[last_From:]', '[last_To:]', '[last_Call-ID:]', '[last_CSeq:]']);
}

/** Answers the INVITE, even after later requests. */
export function replyToInvite(status: string, body: string[] = []): string {
  const kept = [
    'Via:[$via]',
    'From:[$from]',
    'To:[$to];tag=[pid]-[call_number]',
    '[last_Call-ID:]',
    'CSeq:[$cseq] INVITE',
  ];
  const contact = 'Contact: <sip:phone@[local_ip]:[local_port];transport=[transport]>';
  return send([`SIP/2.0 ${status}`, ...kept, contact], body, body.length > 0);
}

/** Changes the direction of the audio, as a phone does that puts a call on hold. */
export function reinvite(direction: 'sendonly'): string {
  const body = sdp('pcmu').map((line) => (line === 'a=sendrecv' ? `a=${direction}` : line));
  return request('INVITE', 40, ['Content-Type: application/sdp'], body);
}

/** Confirms the answer to that. */
export function acknowledge(): string {
  return request('ACK', 40).replace(' retrans="500"', '');
}

/** A request from the phone inside the dialog. */
export function request(method: string, cseq: number, headers: string[] = [], body: string[] = []): string {
  const lines = [
    `${method} [$contact] SIP/2.0`,
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    'From:[$to];tag=[pid]-[call_number]',
    'To:[$from]',
    'Call-ID: [call_id]',
    `CSeq: ${cseq} ${method}`,
    'Max-Forwards: 70',
    'Contact: <sip:phone@[local_ip]:[local_port];transport=[transport]>',
  ];
  const text = [...lines, ...headers, 'Content-Length: [len]', '', ...body].join('\n');
  return `<send retrans="500"><![CDATA[\n\n${text}\n\n]]></send>`;
}

export function label(id: number): string {
  return `<label id="${id}"/>`;
}

export function jump(id: number): string {
  return `<nop next="${id}"/>`;
}

/** Waits for one of the requests, the last of which is mandatory; `next` are the labels to continue at. */
export function receive(...awaited: { method: string; next?: number; within?: [ms: number, next: number] }[]): string {
  return awaited
    .map(({ method, next, within }, index) => {
      const optional = index < awaited.length - 1 ? ' optional="true"' : '';
      const after = next === undefined ? '' : ` next="${next}"`;
      const timeout = within ? ` timeout="${within[0]}" ontimeout="${within[1]}"` : '';
      return `<recv request="${method}"${optional}${after}${timeout}/>`;
    })
    .join('\n');
}

export function scenario(name: string, steps: string[], unread: string[] = []): string {
  const reference = unread.length > 0 ? `<Reference variables="${unread.join(',')}"/>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<scenario name="${name}">\n${steps.join('\n')}\n${reference}\n</scenario>\n`;
}

/** Messages of SIP (RFC 3261), as far as a phone that is called needs them. */

type Headers = readonly (readonly [name: string, value: string])[];

export interface Message {
  /** The method of a request; null for a response. */
  method: string | null;
  /** Names are in lower case. */
  headers: Headers;
  body: string;
}

/** Null for what is no message, such as the empty ones that keep a connection alive. */
export function readMessage(text: string): Message | null {
  const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s);
  const [first = '', ...lines] = head.split('\r\n');
  const [, method = null] = /^([A-Z]+) \S+ SIP\/2\.0$/.exec(first) ?? [];
  if (method === null && !first.startsWith('SIP/2.0 ')) return null;
  const headers = lines.flatMap((line) => {
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name.toLowerCase(), value] as const];
  });
  return { method, headers, body };
}

/** The first header of a name; empty without one. */
export function headerOf({ headers }: Message, name: string): string {
  return headers.find(([known]) => known === name.toLowerCase())?.[1] ?? '';
}

/** The URI of a header such as Contact. */
export function uriOf(value: string): string {
  return /<([^>]+)>/.exec(value)?.[1] ?? value.split(';')[0] ?? '';
}

export function writeMessage(first: string, headers: Headers, body = ''): string {
  const lines = [...headers, ['Content-Length', String(Buffer.byteLength(body))] as const];
  return [first, ...lines.map(([name, value]) => `${name}: ${value}`), '', body].join('\r\n');
}

/** The response to a request. Whoever answers is known by the tag from then on. */
export function writeResponse(request: Message, status: string, tag: string, more: Headers, body = ''): string {
  const to = headerOf(request, 'To');
  const same = (name: string) => request.headers.filter(([known]) => known === name);
  const headers: Headers = [
    ...same('via'),
    ...same('record-route'),
    ...same('from'),
    ['to', /;tag=/.test(to) ? to : `${to};tag=${tag}`],
    ...same('call-id'),
    ...same('cseq'),
    ...more,
  ];
  return writeMessage(`SIP/2.0 ${status}`, headers, body);
}

/** The place where an offer has sound heard, and its payload type of keys; null without G.711 μ-law or keys. */
export function readOffer(sdp: string): { host: string; port: number; keys: number } | null {
  const [, host] = /^c=IN IP4 (\S+)/m.exec(sdp) ?? [];
  const [, port, formats = ''] = /^m=audio (\d+) RTP\/AVP ([\d ]+)/m.exec(sdp) ?? [];
  const [, keys] = /^a=rtpmap:(\d+) telephone-event\/8000/m.exec(sdp) ?? [];
  if (host === undefined || keys === undefined || !formats.split(' ').includes('0')) return null;
  return { host, port: Number(port), keys: Number(keys) };
}

export function writeAnswer(host: string, port: number, keys: number): string {
  return [
    'v=0',
    `o=- 1 1 IN IP4 ${host}`,
    's=-',
    `c=IN IP4 ${host}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 0 ${keys}`,
    'a=rtpmap:0 PCMU/8000',
    `a=rtpmap:${keys} telephone-event/8000`,
    `a=fmtp:${keys} 0-15`,
    'a=ptime:20',
    'a=sendrecv',
    '',
  ].join('\r\n');
}

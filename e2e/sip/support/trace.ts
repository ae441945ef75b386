import { readFile } from 'node:fs/promises';

/** A SIP message as a phone saw it. */
interface Message {
  /** Milliseconds since 1970. */
  at: number;
  from: 'bridge' | 'phone';
  /** `INVITE`, `CANCEL`, …; null in an answer. */
  method: string | null;
  /** Status of an answer. */
  status: number | null;
  /** `1 INVITE` */
  cseq: string;
}

/** All messages of one Call-ID. */
export interface Dialogue {
  callId: string;
  /** The called phone, `+1…`. */
  number: string;
  messages: Message[];
}

const SEPARATOR = /^-{40,} (\d{4}-\d\d-\d\d)[ \t](\d\d:\d\d:\d\d\.\d+)/;
const DIRECTION = /message (received|sent)/;

/** The dialogues of a file that SIPp has written with `-trace_msg`, in the order of their first messages. */
export async function readTrace(file: string): Promise<Dialogue[]> {
  const dialogues = new Map<string, Dialogue>();
  const parts = (await readFile(file, 'utf8').catch(() => '')).split(/^(?=-{40,} \d{4}-)/m);
  for (const part of parts) {
    const [, day, time] = SEPARATOR.exec(part) ?? [];
    const direction = DIRECTION.exec(part)?.[1];
    if (!day || !direction) continue;
    const text = part.slice(part.indexOf('\n\n') + 2);
    const callId = headerOf(text, 'Call-ID');
    const number = /sip:(\+?\d+)@/.exec(headerOf(text, 'To'))?.[1] ?? '';
    const dialogue = dialogues.get(callId) ?? { callId, number, messages: [] };
    dialogues.set(callId, dialogue);
    const [first = '', second = ''] = text.split(/\s/, 2);
    const status = first.startsWith('SIP/') ? Number(second) : null;
    dialogue.messages.push({
      at: Date.parse(`${day}T${time}Z`),
      from: direction === 'received' ? 'bridge' : 'phone',
      method: status === null ? first : null,
      status,
      cseq: headerOf(text, 'CSeq'),
    });
  }
  return [...dialogues.values()];
}

function headerOf(text: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*?)\\r?$`, 'im').exec(text)?.[1] ?? '';
}

/** What the bridge asked of a phone, each request once however often it was repeated. */
export function requestsOf({ messages }: Dialogue): string[] {
  const seen = new Set<string>();
  return messages.flatMap(({ from, method, cseq }) => {
    if (from !== 'bridge' || method === null || method === 'ACK' || seen.has(cseq)) return [];
    seen.add(cseq);
    return [method];
  });
}

/** When the phone saw the first such request of the bridge; undefined when it never did. */
export function requestedAt({ messages }: Dialogue, method: string): number | undefined {
  return messages.find((message) => message.from === 'bridge' && message.method === method)?.at;
}

/** Whether nothing more is to come: the call was refused, or one side has hung up and the other said so. */
export function isOver({ messages }: Dialogue): boolean {
  const refused = messages.findLast(({ status, cseq }) => status !== null && status >= 300 && cseq.endsWith('INVITE'));
  const acknowledged = refused && messages.some(({ method, at }) => method === 'ACK' && at >= refused.at);
  // A challenge is answered by another INVITE, or by nothing.
  if (acknowledged && messages.findLast(({ method }) => method !== null)?.method === 'ACK') return true;
  const bye = messages.find(({ method }) => method === 'BYE');
  return bye !== undefined;
}

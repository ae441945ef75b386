import { open } from 'node:fs/promises';
import { HANG_UP } from './phones.ts';

/** A SIP message, as seen by a phone. */
interface Message {
  /** Milliseconds since 1970. */
  at: number;
  from: 'bridge' | 'phone';
  /** `INVITE`, `CANCEL`, …; null in a response. */
  method: string | null;
  /** Status of a response. */
  status: number | null;
  /** `1 INVITE` */
  cseq: string;
  /** All of it. */
  text: string;
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

/**
 * Reads the dialogs in a file that SIPp writes with `-trace_msg`, in the order of their first messages.
 * Each call reads the part written since the previous one; concurrent calls share one read.
 */
export function createTraceReader(file: string): () => Promise<Dialogue[]> {
  const dialogues = new Map<string, Dialogue>();
  let [offset, rest] = [0, ''];
  let reading: Promise<Dialogue[]> | undefined;

  async function readOn(): Promise<Dialogue[]> {
    const handle = await open(file).catch(() => null);
    if (!handle) return [];
    const { size } = await handle.stat();
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - offset), 0, size - offset, offset);
    await handle.close();
    offset += bytesRead;
    const parts = (rest + buffer.toString('utf8', 0, bytesRead)).split(/^(?=-{40,} \d{4}-)/m);
    // The last message may be incomplete; each ends with an empty line, but only the next one shows that it has ended.
    rest = parts.at(-1) ?? '';
    for (const part of isWhole(rest) ? parts : parts.slice(0, -1)) add(dialogues, part);
    if (isWhole(rest)) rest = '';
    return [...dialogues.values()];
  }

  return () => {
    reading ??= readOn().finally(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Whether a part contains all the bytes that its first line announces. */
function isWhole(part: string): boolean {
  const size = Number(/\[(\d+)\] bytes/.exec(part)?.[1] ?? Number.NaN);
  return part.length >= part.indexOf('\n\n') + 2 + size;
}

function add(dialogues: Map<string, Dialogue>, part: string): void {
  const [, day, time] = SEPARATOR.exec(part) ?? [];
  const direction = DIRECTION.exec(part)?.[1];
  if (!day || !direction) return;
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
    text,
  });
}

/** The value of a message's first header of this name; empty if it has none. */
export function headerOf(text: string, name: string): string {
  return new RegExp(`^${name}:\\s*(.*?)\\r?$`, 'im').exec(text)?.[1] ?? '';
}

/** The requests that the bridge sent to a phone, without retransmissions. */
export function requestsOf({ messages }: Dialogue): string[] {
  const seen = new Set<string>();
  return messages.flatMap(({ from, method, cseq }) => {
    if (from !== 'bridge' || method === null || method === 'ACK' || method === HANG_UP || seen.has(cseq)) return [];
    seen.add(cseq);
    return [method];
  });
}

/** When the phone received the bridge's first such request; undefined if it never did. */
export function requestedAt({ messages }: Dialogue, method: string): number | undefined {
  return messages.find((message) => message.from === 'bridge' && message.method === method)?.at;
}

/** Whether the dialog has ended: the call was refused, or one side hung up and the other confirmed it. */
export function isOver({ messages }: Dialogue): boolean {
  const refused = messages.findLast(({ status, cseq }) => status !== null && status >= 300 && cseq.endsWith('INVITE'));
  const acknowledged = refused && messages.some(({ method, at }) => method === 'ACK' && at >= refused.at);
  // A challenge is answered by another INVITE, so the dialog continues.
  const invite = messages.findLast(({ method }) => method === 'INVITE');
  if (acknowledged && invite?.cseq === refused.cseq) return true;
  const bye = messages.find(({ method }) => method === 'BYE');
  return bye !== undefined;
}

/** When the call was answered (200) and ended (the first BYE, of either side), by the phone; null without both. */
export function talkOf({ messages }: Dialogue): { answered: number; ended: number } | null {
  const answer = messages.find(({ status, cseq }) => status === 200 && cseq.endsWith('INVITE'));
  const bye = messages.find(({ method }) => method === 'BYE');
  return answer && bye ? { answered: answer.at, ended: bye.at } : null;
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { createFairQueue } from '../lib/fair-queue.ts';
import { freeBuffer } from './body-reader.ts';

/** Long lists that one process reads at the same time, of all users. */
export const MAX_CONCURRENT_LONG_LISTS = 1;
/** Those of one user that wait: each keeps its request in memory. */
export const MAX_WAITING_LONG_LISTS = 16;

/**
 * The pause after each part, as a multiple of the time that writing it took; reading it took about as long again.
 * Each turn of the event loop accepts one new connection: few would be if lists took up most of the time.
 */
const PAUSE_TIMES = 4;

/** Items in their order; `next` is where the following ones begin, null after the last. */
export interface ListPart {
  items: object[];
  next: string | null;
}

/**
 * Answers with lists that have megabytes of items and no pages, part by part: parsing what the database returns and
 * writing it as JSON takes 20 ms per mebibyte, and up to ten lists could be ready in one turn of the event loop.
 * Users take turns.
 */
export function createLongLists() {
  const inTurn = createFairQueue(MAX_CONCURRENT_LONG_LISTS, MAX_WAITING_LONG_LISTS);
  return (reply: FastifyReply, user: string, read: (after: string | null) => Promise<ListPart>) =>
    inTurn(user, async () => {
      const body = await writeAll(reply, read);
      return reply.type('application/json; charset=utf-8').send(body);
    });
}

async function writeAll(reply: FastifyReply, read: (after: string | null) => Promise<ListPart>): Promise<Buffer> {
  const parts: Buffer[] = [];
  const { socket } = reply.request.raw;
  let after: string | null = null;
  do {
    // Requests whose clients have left, possibly thousands, must not delay the others.
    if (socket.destroyed) break;
    const { items, next }: ListPart = await read(after);
    const begun = performance.now();
    const text = String(reply.serialize(items)).slice(1, -1);
    if (text !== '') parts.push(Buffer.from(`${parts.length === 0 ? '[' : ','}${text}`));
    after = next;
    if (after !== null) await sleep(PAUSE_TIMES * (performance.now() - begun));
  } while (after !== null);
  const body = Buffer.concat([...parts, Buffer.from(parts.length === 0 ? '[]' : ']')]);
  for (const part of parts) freeBuffer(part);
  return body;
}

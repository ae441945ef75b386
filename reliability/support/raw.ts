import net from 'node:net';

/** The response on a connection; status 0 if it was closed without a response. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const PATIENCE_MS = 60_000;
/** Includes the previous line's end: a row of a CSV file may end with a 0. */
const LAST_CHUNK = '\r\n0\r\n\r\n';

/** A request as bytes. `body` gets a content-length unless the headers have one or are chunked. */
export function rawRequest(
  method: string,
  target: string,
  headers: [string, string][],
  body?: string | Buffer,
): Buffer {
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const isFramed = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name));
  const all = bytes && !isFramed ? [...headers, ['content-length', String(bytes.length)]] : headers;
  const head = [`${method} ${target} HTTP/1.1`, 'host: localhost', ...all.map((one) => one.join(': '))].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes ?? Buffer.alloc(0)]);
}

interface Exchange {
  /** Responses to wait for. */
  count?: number;
  /** Ends the connection after the bytes. */
  thenEnd?: boolean;
  /** The requests are HEAD ones: responses have no body. */
  isHead?: boolean;
}

/** Sends raw bytes, over one connection for as long as the service keeps it open. */
export function openRaw(url: string) {
  const { port } = new URL(url);
  let socket: net.Socket | undefined;

  /** Resolves with the responses to `count` requests; fewer if the connection is closed before. */
  function send(bytes: Buffer, options: Exchange = {}): Promise<RawAnswer[]> {
    const current = socket && !socket.destroyed && !options.thenEnd ? socket : net.connect(Number(port), '127.0.0.1');
    if (!options.thenEnd) socket = current;
    return exchange(current, bytes, options);
  }

  return { send, close: () => socket?.destroy() };
}

function exchange(
  socket: net.Socket,
  bytes: Buffer,
  { count = 1, thenEnd = false, isHead = false }: Exchange,
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const answers: RawAnswer[] = [];
    let received = Buffer.alloc(0);
    const done = (error?: Error) => {
      clearTimeout(timer);
      socket.removeAllListeners().on('error', () => {});
      if (error || answers.length < count || answers.at(-1)?.headers.connection === 'close' || thenEnd)
        socket.destroy();
      if (error) reject(error);
      else resolve(answers);
    };
    const timer = setTimeout(() => done(new Error('no answer')), PATIENCE_MS);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let next = takeAnswer(received, isHead); next; next = takeAnswer(received, isHead)) {
        answers.push(next.answer);
        received = received.subarray(next.length);
      }
      if (answers.length >= count) done();
    });
    socket.on('error', () => done());
    socket.on('close', () => done());
    socket.write(bytes);
    if (thenEnd) socket.end();
  });
}

function takeAnswer(received: Buffer, isHead: boolean): { answer: RawAnswer; length: number } | null {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const status = Number(first.split(' ')[1]);
  // A stream has begun: more of it may arrive, and its connection is not reused.
  if (headers['content-type'] === 'text/event-stream')
    return { answer: { status, headers, text: '' }, length: received.length };
  if (headers['transfer-encoding'] === 'chunked' && !isHead) {
    const last = received.indexOf(LAST_CHUNK, end + 2);
    if (last < 0) return null;
    const length = last + LAST_CHUNK.length;
    return { answer: { status, headers, text: received.subarray(end + 4, length).toString() }, length };
  }
  const length = end + 4 + (isHead ? 0 : Number(headers['content-length'] ?? 0));
  if (received.length < length) return null;
  return { answer: { status, headers, text: received.subarray(end + 4, length).toString() }, length };
}

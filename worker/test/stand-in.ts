/** Stand-ins for providers: servers that keep what they are asked, and answer as the provider's description says. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** Null for a request without a body, such as the upgrade to a WebSocket. */
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it sends.
  body: any;
}

export interface Certificate {
  key: string;
  cert: string;
}

interface Answers {
  http?: (asked: Asked, response: ServerResponse) => void;
  socket?: (socket: WebSocket, asked: Asked) => void;
  /** The status with which a WebSocket is refused; null for none. */
  refuses?: () => number | null;
}

export type StandIn = Awaited<ReturnType<typeof startStandIn>>;

/** With a certificate it is reached by TLS alone. */
export async function startStandIn(answers: Answers, certificate?: Certificate) {
  const asked: Asked[] = [];
  const connections = new Set<Socket>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const one = note(request, text === '' ? null : parsed(text));
    // Plugins look for the list of models in advance, for the connection alone.
    if (one.method === 'GET') return void response.writeHead(404).end();
    asked.push(one);
    answers.http?.(one, response);
  };
  const server = certificate ? createTlsServer(certificate, answer) : createServer(answer);
  server.on('connection', (connection: Socket) => {
    connections.add(connection);
    connection.on('error', () => {});
  });
  const sockets = new WebSocketServer({
    server,
    verifyClient: (_, decide) => {
      const status = answers.refuses?.() ?? null;
      decide(status === null, status ?? undefined);
    },
  });
  sockets.on('connection', (socket, request) => {
    const one = note(request, null);
    asked.push(one);
    answers.socket?.(socket, one);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    origin: `${certificate ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () => {
      for (const connection of connections) connection.destroy();
      server.close();
    },
  };
}

function note({ method = '', url = '', headers }: IncomingMessage, body: unknown): Asked {
  return { method, path: url, headers, body };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Answers with server-sent events, each a JSON object; those of OpenAI end with `[DONE]`. */
export function events(response: ServerResponse, data: readonly object[], last?: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const one of data) response.write(`data: ${JSON.stringify(one)}\n\n`);
  response.end(last === undefined ? '' : `data: ${last}\n\n`);
}

/** The chunks of an answer in OpenAI's protocol. */
export function completion(deltas: readonly object[], usage: object | null = null, finish_reason = 'stop'): object[] {
  const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_770_000_000, model: 'm' };
  const choices = (delta: object, reason: string | null = null) => [{ index: 0, delta, finish_reason: reason }];
  return [
    ...deltas.map((delta) => ({ ...chunk, choices: choices(delta) })),
    { ...chunk, choices: choices({}, finish_reason) },
    ...(usage ? [{ ...chunk, choices: [], usage }] : []),
  ];
}

import { after } from 'node:test';
import { serveHttp } from '@switchboard/testkit/http-server.ts';

export interface ReceivedSpan {
  trace: string;
  id: string;
  /** Empty for the first of a trace. */
  parent: string;
  name: string;
}

/**
 * A collector on a free port that keeps the spans it is sent by OTLP over HTTP in protobuf, until the test file ends.
 */
export async function startCollector(): Promise<{ url: string; spans: ReceivedSpan[] }> {
  const spans: ReceivedSpan[] = [];
  const server = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans.push(...readSpans(Buffer.concat(chunks)));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  after(server.close);
  return { url: server.url, spans };
}

// opentelemetry/proto/collector/trace/v1: resource_spans 1 > scope_spans 2 > spans 2 > trace_id 1, span_id 2,
// parent_span_id 4, name 5.
function readSpans(body: Buffer): ReceivedSpan[] {
  return messages(body, 1)
    .flatMap((resource) => messages(resource, 2))
    .flatMap((scope) => messages(scope, 2))
    .map((span) => {
      const [trace = '', id = '', parent = ''] = [1, 2, 4].map((field) => messages(span, field)[0]?.toString('hex'));
      return { trace, id, parent, name: messages(span, 5)[0]?.toString() ?? '' };
    });
}

/** The length-delimited fields of a protobuf message with this number. */
function messages(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const [field, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) varint();
    else if (type === 2) {
      const length = varint();
      if (field === wanted) found.push(message.subarray(at, at + length));
      at += length;
    } else at += type === 1 ? 8 : 4;
  }
  return found;
}

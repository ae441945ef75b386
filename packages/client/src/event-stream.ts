/** An event in a stream (HTML, 9.2.6); without `data`, only an id to resume from, or a delay. */
export interface StreamedEvent {
  id?: string;
  event?: string;
  data?: string;
  retryMs?: number;
}

/**
 * Parses a stream of server-sent events. Comments are keep-alives and yield an empty event; an incomplete event at
 * the end is dropped.
 */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<StreamedEvent> {
  let rest = '';
  for await (const chunk of chunks) {
    rest += chunk;
    // A carriage return at the end may be the first half of a line ending.
    const complete = rest.endsWith('\r') ? rest.slice(0, -1) : rest;
    const blocks = complete.split(/\r\n\r\n|\n\n|\r\r/);
    const last = blocks.pop() ?? '';
    rest = last + rest.slice(complete.length);
    for (const block of blocks) yield parseEvent(block);
  }
}

function parseEvent(block: string): StreamedEvent {
  const found: StreamedEvent = {};
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    const colon = line.indexOf(':');
    const [name, value] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    if (name === 'id') found.id = value;
    if (name === 'event') found.event = value;
    if (name === 'data') data.push(value);
    if (name === 'retry' && /^\d+$/.test(value)) found.retryMs = Number(value);
  }
  return data.length > 0 ? { ...found, data: data.join('\n') } : found;
}

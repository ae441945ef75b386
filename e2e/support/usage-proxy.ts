import { serveHttp } from '@switchboard/testkit/http-server.ts';

/** Usage events that the service has said it has, and those that it may have without having said so. */
interface Counts {
  accepted: number;
  unknown: number;
}

/**
 * A proxy between worker and service that counts usage events of the worker: once for each idempotency key, and once
 * for each attempt at a task.
 */
export async function startUsageProxy(target: string) {
  const reports = new Map<string, { events: number; state: keyof Counts | 'refused' }>();
  const server = await serveHttp(async (request, response) => {
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers;
    const body = Buffer.concat(await request.toArray());
    const report = JSON.parse(body.toString() || '{}');
    const name = `${request.url} ${headers['idempotency-key'] ?? report.lease_token}`;
    const events = countUsage(report.events ?? []);
    const note = (state: keyof Counts | 'refused') => {
      // A report that was accepted once stays so, whatever becomes of a repetition.
      if (events > 0 && reports.get(name)?.state !== 'accepted') reports.set(name, { events, state });
    };
    note('unknown');
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    }).catch(() => null);
    const text = await answer?.text().catch(() => null);
    if (!answer || text === null || text === undefined) return response.destroy();
    if (answer.status < 500) note(answer.ok ? 'accepted' : 'refused');
    const [type, again] = [answer.headers.get('content-type') ?? '', answer.headers.get('retry-after')];
    return response
      .writeHead(answer.status, { 'content-type': type, ...(again && { 'retry-after': again }) })
      .end(answer.status === 204 ? undefined : text);
  });
  const sum = (state: keyof Counts) =>
    [...reports.values()].reduce((total, one) => total + (one.state === state ? one.events : 0), 0);
  return {
    ...server,
    /** Since `forget`. */
    counts: (): Counts => ({ accepted: sum('accepted'), unknown: sum('unknown') }),
    forget: () => reports.clear(),
  };
}

/** The usage events in a batch of them, or in the report of a task. */
function countUsage(events: { event_type?: string; used?: unknown[] }[]): number {
  return events.reduce((sum, one) => sum + (one.used?.length ?? (one.event_type === undefined ? 0 : 1)), 0);
}

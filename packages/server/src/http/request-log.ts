import type { FastifyBaseLogger } from 'fastify';

/** Lines for refused requests of one route and status in a window; the others are counted. */
export const MAX_REFUSALS_LOGGED = 100;
const MINUTE_MS = 60_000;

/** A request as it is logged. */
interface Labels {
  method: string;
  route: string;
  status: string;
}

/**
 * Logs a line for each request. Refused ones (4xx) cost their sender nothing: a flood would fill the disk of the log,
 * so those of a route beyond a hundred a minute share a line, written when the minute is over. Metrics count all.
 */
export function createRequestLog(windowMs = MINUTE_MS) {
  const refused = new Map<string, { count: number; labels: Labels }>();

  function end(log: FastifyBaseLogger): void {
    for (const { count, labels } of refused.values())
      if (count > MAX_REFUSALS_LOGGED)
        log.warn({ ...labels, requests: count - MAX_REFUSALS_LOGGED }, 'more requests were refused than are logged');
    refused.clear();
  }

  /** `log` is the request's; `common` outlives it. */
  return (log: FastifyBaseLogger, common: FastifyBaseLogger, labels: Labels, ms: number): void => {
    if (labels.status.startsWith('4')) {
      const key = `${labels.method} ${labels.route} ${labels.status}`;
      const known = refused.get(key) ?? { count: 0, labels };
      if (refused.size === 0) setTimeout(() => end(common), windowMs).unref();
      refused.set(key, known);
      if (++known.count > MAX_REFUSALS_LOGGED) return;
    }
    log.info({ ...labels, ms }, 'request');
  };
}

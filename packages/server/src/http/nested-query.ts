import type { FastifyRequest } from 'fastify';

/**
 * A hook that gathers `<name>.key=value` and `<name>[key]=value` of a query as one parameter, an object, before the
 * query is validated.
 */
export function gatherNested(name: string) {
  const nested = new RegExp(`^${name}(?:\\.(.+)|\\[(.+)\\])$`, 's');
  return async (request: FastifyRequest): Promise<void> => {
    const query = request.query as Record<string, unknown>;
    const found = Object.keys(query).flatMap((key): [key: string, field: string][] => {
      const [, dotted, bracketed] = nested.exec(key) ?? [];
      const field = dotted ?? bracketed;
      return field === undefined ? [] : [[key, field]];
    });
    if (found.length === 0) return;
    const gathered = found.map(([key, field]) => [field, query[key]]);
    for (const [key] of found) delete query[key];
    query[name] = Object.fromEntries(gathered);
  };
}

import { InvalidFields } from '../../lib/invalid.ts';
import type { JsonObject } from '../../lib/json.ts';
import { checkConfig } from '../agents/config-check.ts';

/** Throws `InvalidFields` for a configuration with problems, with their places below `field`. */
export function assertValid(config: JsonObject, field: (string | number)[]): void {
  const { problems } = checkConfig(config);
  if (problems.length === 0) return;
  throw new InvalidFields(
    ...problems.map(({ loc, ...problem }) => ({ ...problem, field: [...field, ...loc.slice(1)] })),
  );
}

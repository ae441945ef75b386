import { SwitchboardError } from '@switchboard/client';

/** Problems that the service has found, by the field of the extractor; under '' those of everything else. */
export function problemsByField(error: unknown): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!(error instanceof SwitchboardError)) return found;
  for (const { loc, msg } of error.problems) {
    const [, part, second, third, ...rest] = loc.map(String);
    const inField = part === 'schema' && second === 'properties' && third !== undefined;
    const field = inField ? third : part === 'weights' ? (second ?? '') : '';
    const place = inField ? rest.join('.') : field ? 'weight' : loc.slice(1).join('.');
    found.set(field, [...(found.get(field) ?? []), place ? `${place}: ${msg}` : msg]);
  }
  return found;
}

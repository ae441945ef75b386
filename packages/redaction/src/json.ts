/** Replaces every text and number inside a JSON value, in names of fields too, by what `redact` makes of it. */
export function redactJson<T>(value: T, redact: (text: string) => string): T {
  return inside(value, redact) as T;
}

function inside(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (typeof value === 'number') {
    const written = String(value);
    const redacted = redact(written);
    return redacted === written ? value : redacted;
  }
  if (Array.isArray(value)) return value.map((one) => inside(one, redact));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [redact(name), inside(one, redact)]));
}

/** Converts text of environment variables and queries to the types of their schemas. */
type TextType = 'integer' | 'boolean';

/**
 * Converts the text of integer and boolean fields to values. Text in any but the plainest form stays text, for
 * validation to reject: coercing `true` or `1.5` to 1 would hide mistakes.
 */
export function fromText(properties: object, fields: Record<string, unknown>): Record<string, unknown> {
  const types = properties as Record<string, { type?: TextType }>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [
      name,
      Object.hasOwn(types, name) ? parse(text, types[name]?.type) : text,
    ]),
  );
}

function parse(text: unknown, type: TextType | undefined): unknown {
  if (type === 'integer' && typeof text === 'string' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

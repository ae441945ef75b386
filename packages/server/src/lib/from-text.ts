/** Parses text of an environment variable or a query into the type of its schema. */
type TextType = 'integer' | 'boolean';

/**
 * Replaces the text of fields that are integers or booleans by their values. Text that is neither, in its plainest
 * form, stays text, for validation to refuse: a converter that makes 1 out of `true` or `1.5` hides mistakes.
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

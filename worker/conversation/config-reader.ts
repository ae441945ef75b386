/** Values of a configuration, read one by one: each mistake is noted. */

/** A part of a configuration as it was sent. */
export type Section = Readonly<Record<string, unknown>>;

export type Reader = ReturnType<typeof createReader>;

/** Null counts as absent: forms and other languages send it for an empty field. */
export function createReader(mistakes: string[]) {
  const wrong = (expected: string, ...path: (string | undefined)[]) => {
    mistakes.push(`${path.filter(Boolean).join('.')} must be ${expected}`);
    return undefined;
  };
  return {
    wrong,
    section(parent: Section, name: string, of?: string): Section {
      const value = parent[name] ?? {};
      return isSection(value) ? value : (wrong('an object', of, name) ?? {});
    },
    text(parent: Section, name: string, of?: string): string | undefined {
      const value = parent[name] ?? undefined;
      return value === undefined || typeof value === 'string' ? value : wrong('text', of, name);
    },
    oneOf<T extends string>(values: readonly T[], parent: Section, name: string, of?: string): T | undefined {
      const value = parent[name] ?? undefined;
      const known = values.find((one) => one === value);
      return value === undefined || known ? known : wrong(`one of ${values.join(', ')}`, of, name);
    },
    texts(parent: Section, name: string, of?: string): string[] {
      const value = parent[name] ?? [];
      const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
      return isList ? value : (wrong('a list of texts', of, name) ?? []);
    },
    flag(parent: Section, name: string, of?: string): boolean | undefined {
      const value = parent[name] ?? undefined;
      return value === undefined || typeof value === 'boolean' ? value : wrong('true or false', of, name);
    },
    number(parent: Section, name: string, of?: string): number | undefined {
      const value = parent[name] ?? undefined;
      return value === undefined || typeof value === 'number' ? value : wrong('a number', of, name);
    },
  };
}

export function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

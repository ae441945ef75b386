/** Values of a configuration, read one by one: each mistake is noted. */
import type { JsonObject } from '@switchboard/client';

/** The fields with values of a type. Names that a configuration may have beside the known ones are not among them. */
type FieldOf<T, Value> = string &
  keyof { [Name in keyof T as string extends Name ? never : NonNullable<T[Name]> extends Value ? Name : never]: never };

export type Reader = ReturnType<typeof createReader>;

/**
 * Reads a configuration that has the type of a right one, but may hold anything. Null counts as absent: forms and other
 * languages send it for an empty field.
 */
export function createReader(mistakes: string[]) {
  const wrong = (expected: string, ...path: (string | undefined)[]) => {
    mistakes.push(`${path.filter(Boolean).join('.')} must be ${expected}`);
    return undefined;
  };
  const object = <T>(given: T, ...path: (string | undefined)[]) => {
    const value: unknown = given ?? {};
    return (isSection(value) ? value : (wrong('an object', ...path) ?? {})) as Partial<NonNullable<T>>;
  };
  return {
    wrong,
    object,
    section: <T, Name extends FieldOf<T, object>>(parent: T, name: Name, of?: string) => object(parent[name], of, name),
    text<T>(parent: T, name: FieldOf<T, string>, of?: string): string | undefined {
      const value: unknown = parent[name] ?? undefined;
      return value === undefined || typeof value === 'string' ? value : wrong('text', of, name);
    },
    oneOf<T, Name extends FieldOf<T, string>>(
      values: readonly NonNullable<T[Name]>[],
      parent: T,
      name: Name,
      of?: string,
    ): NonNullable<T[Name]> | undefined {
      const value: unknown = parent[name] ?? undefined;
      const known = values.find((one) => one === value);
      return value === undefined || known ? known : wrong(`one of ${values.join(', ')}`, of, name);
    },
    texts<T>(parent: T, name: FieldOf<T, string[]>, of?: string): string[] {
      const value: unknown = parent[name] ?? [];
      const isList = Array.isArray(value) && value.every((one) => typeof one === 'string');
      return isList ? value : (wrong('a list of texts', of, name) ?? []);
    },
    flag<T>(parent: T, name: FieldOf<T, boolean>, of?: string): boolean | undefined {
      const value: unknown = parent[name] ?? undefined;
      return value === undefined || typeof value === 'boolean' ? value : wrong('true or false', of, name);
    },
    number<T>(parent: T, name: FieldOf<T, number>, of?: string): number | undefined {
      const value: unknown = parent[name] ?? undefined;
      return value === undefined || typeof value === 'number' ? value : wrong('a number', of, name);
    },
  };
}

export function isSection(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

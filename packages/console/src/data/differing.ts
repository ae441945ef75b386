/** The fields that have other values than before. */
export function differing<T extends object>(now: T, before: T): Partial<T> {
  const names = Object.keys(now) as (keyof T)[];
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<T>;
}

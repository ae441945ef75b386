/** An extractor as a configuration names it; without a version, the newest. */
export interface NamedExtractor {
  name: string;
  version: number | null;
  text: string;
}

const NAMED = /^([a-z][a-z0-9_-]{0,63})(?:@([1-9]\d{0,8}))?$/;

/** The extractors that a configuration names; what is no name is left out. */
export function namedExtractors({ extractors }: Record<string, unknown>): NamedExtractor[] {
  if (!Array.isArray(extractors)) return [];
  return extractors.flatMap((text: unknown) => {
    const [, name, version] = (typeof text === 'string' && NAMED.exec(text)) || [];
    return name === undefined ? [] : { name, version: version ? Number(version) : null, text: String(text) };
  });
}

/** An extractor that an agent names, as its form shows it. */
export interface NamedState extends NamedExtractor {
  /** The newest version; null if there is no such extractor. */
  newest: number | null;
  /** The version that it names was never made. */
  isMissing: boolean;
}

/** The named extractors beside those that there are. */
export function namedStates(config: Record<string, unknown>, known: { name: string; version: number }[]): NamedState[] {
  return namedExtractors(config).map((one) => {
    const newest = known.find(({ name }) => name === one.name)?.version ?? null;
    return { ...one, newest, isMissing: newest === null || (one.version ?? 0) > newest };
  });
}

/** The list with an extractor, at its newest version, or without it; others stay as they are. */
export function withExtractor(extractors: unknown, name: string, isNamed: boolean): unknown[] | undefined {
  const before: unknown[] = Array.isArray(extractors) ? extractors : [];
  const others = before.filter((one) => namedExtractors({ extractors: [one] })[0]?.name !== name);
  const after = isNamed ? [...others, name] : others;
  return after.length > 0 ? after : undefined;
}

/** Shorter names resemble ordinary variables: HOST and HOSTS, PORT and POST. */
const SHORTEST = 8;
const LONG = 16;

/** The known name within an edit distance of two, or three for long names; undefined if none. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  if (known.includes(name)) return undefined;
  return known.find((candidate) => {
    if (candidate.length < SHORTEST) return false;
    const maxDistance = candidate.length >= LONG ? 3 : 2;
    return Math.abs(candidate.length - name.length) <= maxDistance && distance(name, candidate) <= maxDistance;
  });
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
function distance(a: string, b: string): number {
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  rows[0] = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped));
    }
  }
  return at(a.length, b.length);
}

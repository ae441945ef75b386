import { cpus, totalmem } from 'node:os';

/** The parts of a page by name. Each begins with a line that `begin` matches; its first group is the name. */
export function partsOf(page: string, begin: RegExp): Map<string, string> {
  const found = [...page.matchAll(new RegExp(begin.source, 'gm'))];
  return new Map(found.map((match, at) => [match[1] ?? '', page.slice(match.index, found[at + 1]?.index).trim()]));
}

/** The day, and the machine on which a part is written. */
export function dayAndMachine(): string {
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${new Date().toISOString().slice(0, 10)}, Node.js ${process.versions.node}, ${cpus().length} cores, ${gib} GiB`;
}

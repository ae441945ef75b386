import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Counts of `docs/reliability.md` over all of its tests, and the minimum that a run must reach to write the page. */
export const TOTALS = {
  'kills of the service': 214,
  'kills of PostgreSQL': 28,
  'requests of clients under these kills': 105_784,
  'callbacks of these clients, each delivered and signed': 5_340,
  'operations, each requested by every principal': 45,
  principals: 15,
  'invalid tokens': 59,
  'URLs that lead inside': 145,
  'DNS answers that lead inside': 20,
  'generated and mutated requests': 140_000,
  'usage events compared with an independent model': 26_288,
  'moments of a moved clock': 220,
} as const;

export type Totals = Partial<Record<keyof typeof TOTALS, number>>;

/** Directory for sections while the page is being written. */
const DIRECTORY = process.env.RELIABILITY_SECTIONS;

/**
 * Submits the part of `docs/reliability.md` that a test file produces: Markdown under a heading of its own,
 * and its additions to the page's totals.
 */
export function writeSection(order: number, name: string, markdown: string, totals: Totals = {}): void {
  if (!DIRECTORY) return;
  const file = path.join(DIRECTORY, `${String(order).padStart(2, '0')}-${name}`);
  writeFileSync(`${file}.md`, markdown.trim());
  writeFileSync(`${file}.json`, JSON.stringify(totals));
}

import { writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Hands in the part of `docs/reliability.md` that a test file is the source of: Markdown under a heading of its own.
 */
export function writeSection(order: number, name: string, markdown: string): void {
  const dir = process.env.RELIABILITY_SECTIONS;
  if (dir) writeFileSync(path.join(dir, `${order}-${name}.md`), markdown.trim());
}

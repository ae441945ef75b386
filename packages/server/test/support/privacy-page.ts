import { readFileSync } from 'node:fs';
import path from 'node:path';

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/privacy.md');

/** The rows of the table of docs/privacy.md about what is stored where. */
export function storedRows() {
  const table = readFileSync(PAGE, 'utf8').split('<!-- stored -->')[1]?.split('<!-- /stored -->')[0] ?? '';
  const lines = table.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) => {
    const [where = '', holds = '', kept = '', erasure = ''] = line.split('|').slice(1, -1);
    return { where: where.trim(), holds: holds.trim(), kept: kept.trim(), erasure: erasure.trim() };
  });
}

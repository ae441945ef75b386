// Writes how many planted secrets are found into docs/privacy.md. With --check, fails if the page is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { HARMLESS, MISTAKEN } from '../test/harmless.ts';
import { redactMarked } from '../test/planted.ts';
import { type Language, MISSED, SECRETS } from '../test/secrets.ts';

const LANGUAGES: Language[] = ['en', 'es', 'de', 'fr'];
const PAGE = path.resolve(import.meta.dirname, '../../../docs/privacy.md');
const PLACE = /(<!-- redaction -->\n)[\s\S]*?(<!-- \/redaction -->)/;

const planted = [...SECRETS, ...MISSED];
const seen = planted.map(({ form, language, lines }) => ({ form, language, ...count(redactMarked(lines, language)) }));
const harmless = [
  ...Object.entries(HARMLESS).flatMap(([language, lines]) => lines.map((line) => ({ language, line }))),
  ...MISTAKEN,
].map(({ language, line }) => count(redactMarked(line, language as Language)));

/** A secret counts as found if its line was redacted as it should be; anything else that was replaced is wrong. */
function count(lines: ReturnType<typeof redactMarked>) {
  let [secrets, found, wrong] = [0, 0, 0];
  for (const line of lines) {
    secrets += line.secrets.length;
    const right = line.text === line.expected ? line.secrets.length : 0;
    found += right;
    wrong += line.spans.length - right;
  }
  return { secrets, found, wrong };
}

function sum(all: { secrets: number; found: number; wrong: number }[]) {
  const total = { secrets: 0, found: 0, wrong: 0 };
  for (const { secrets, found, wrong } of all) {
    total.secrets += secrets;
    total.found += found;
    total.wrong += wrong;
  }
  return total;
}

function cell(some: typeof seen): string {
  const { secrets, found } = sum(some);
  return secrets === 0 ? '' : `${found} of ${secrets}`;
}

const rows = [...new Set(planted.map(({ form }) => form))].map((form) => {
  const cells = LANGUAGES.map((one) => cell(seen.filter(({ form: of, language }) => of === form && language === one)));
  return `| ${form} | ${cells.join(' | ')} |`;
});
const total = sum(seen);
const wrong = total.wrong + sum(harmless).wrong;
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;

const figures = `| Found, by how it was said | English | Spanish | German | French |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

Recall: ${percent(total.found, total.secrets)} (${total.found} of ${total.secrets} planted secrets). Precision: ${percent(total.found, total.found + wrong)} (${wrong} of ${total.found + wrong} replacements were wrong; ${harmless.length} harmless lines with dates, prices, times, order numbers and codes).
`;

const page = readFileSync(PAGE, 'utf8');
const next = page.replace(PLACE, (_, begin: string, end: string) => `${begin}${figures}${end}`);
if (!process.argv.includes('--check')) writeFileSync(PAGE, next);
else if (next !== page) {
  process.stderr.write('Out of date: docs/privacy.md. Run npm run generate.\n');
  process.exitCode = 1;
}

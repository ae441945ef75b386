import { SwitchboardError } from '@switchboard/client';

/** Entries that the service takes in one request. */
const ENTRIES = 5_000;

/** A part of a CSV file, with the heading of the file. */
export interface FilePart {
  text: string;
  entries: number;
  /** The line of the file before the part's first entry. */
  linesBefore: number;
}

/** Cuts a CSV file into parts that the service takes. Line breaks within quotes end no entry. */
export function* inParts(text: string): Generator<FilePart> {
  const records = recordsOf(text);
  const heading = records.next().value;
  if (!heading) return;
  let part: FilePart | null = null;
  for (const { raw, line } of records) {
    part ??= { text: heading.raw, entries: 0, linesBefore: line - 1 };
    part.text += raw;
    // Empty lines stay, so that those after them keep their numbers.
    if (raw.trim() !== '') part.entries += 1;
    if (part.entries < ENTRIES) continue;
    yield part;
    part = null;
  }
  if (part && part.entries > 0) yield part;
}

/** Records of a CSV file, with their line breaks and the numbers of their first lines. */
function* recordsOf(text: string): Generator<{ raw: string; line: number }> {
  let raw = '';
  let first = 1;
  let isQuoted = false;
  const lines = text
    .replace(/\r(?!\n)/g, '\n')
    .replace(/\n$/, '')
    .split('\n');
  for (const [index, line] of lines.entries()) {
    raw += `${line}\n`;
    if (line.split('"').length % 2 === 0) isQuoted = !isQuoted;
    if (isQuoted) continue;
    yield { raw, line: first };
    raw = '';
    first = index + 2;
  }
  // A quote that is never closed: the service says so.
  if (raw !== '') yield { raw, line: first };
}

/** The error of a part, whose problems name lines of the file. */
export function placeInFile(error: unknown, { linesBefore }: FilePart): unknown {
  if (!(error instanceof SwitchboardError)) return error;
  // The first entry of a part is in its second line.
  for (const { loc } of error.problems)
    if (loc[1] === 'line' && typeof loc[2] === 'number' && loc[2] > 1) loc[2] += linesBefore - 1;
  return error;
}

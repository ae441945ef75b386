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

/** Lines of a CSV file, with their line breaks and numbers. */
function* recordsOf(text: string): Generator<{ raw: string; line: number }> {
  // A line, of which quoted parts may have line breaks.
  const record = /(?:"(?:[^"]|"")*"|[^"\n])*(?:\n|$)/y;
  for (let line = 1; record.lastIndex < text.length; ) {
    const start = record.lastIndex;
    const [raw = ''] = record.exec(text) ?? [];
    // A quote that is never closed: the service says so.
    const whole = raw === '' ? text.slice(start) : raw;
    if (raw === '') record.lastIndex = text.length;
    else record.lastIndex = start + raw.length;
    yield { raw: whole.endsWith('\n') ? whole : `${whole}\n`, line };
    line += whole.split('\n').length - 1;
  }
}

/** The error of a part, whose problems name lines of the file. */
export function placeInFile(error: unknown, { linesBefore }: FilePart): unknown {
  if (!(error instanceof SwitchboardError)) return error;
  // The first entry of a part is in its second line.
  for (const { loc } of error.problems)
    if (loc[1] === 'line' && typeof loc[2] === 'number' && loc[2] > 1) loc[2] += linesBefore - 1;
  return error;
}

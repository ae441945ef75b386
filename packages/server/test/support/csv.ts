/** The records of a CSV file (RFC 4180) as objects by the names of the columns. Throws for what is no such file. */
export function readCsv(text: string): Record<string, string>[] {
  if (!text.endsWith('\r\n')) throw new Error('the last record has no end');
  const records: string[][] = [[]];
  // A cell, quoted or not, and what ends it.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, bare, end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`no CSV at ${at}: ${text.slice(at, at + 100)}`);
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
    if (end !== ',') records.push([]);
  }
  const [header = [], ...rows] = records.slice(0, -1);
  return rows.map((row) => {
    if (row.length !== header.length) throw new Error(`a record has ${row.length} of ${header.length} cells`);
    return Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']));
  });
}

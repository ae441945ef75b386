import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Counts } from '../src/statistics.ts';

const Count = Type.Integer({ minimum: 0 });
const Report = Compile(
  Type.Object({
    scenarios: Type.Array(Type.Object({ name: Type.String(), file: Type.String(), passed: Count, failed: Count })),
  }),
);

/** Finds earlier runs of a scenario in a report of `--json`. Throws an `Error` if the file is none. */
export function createBase(file: string) {
  const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!Report.Check(report)) throw new Error(`${file} is no report of --json`);

  /** Null for a scenario that is new. Of several with its name, that in the file of the same name. */
  return ({ name, file }: { name: string; file: string }): Counts | null => {
    const named = report.scenarios.filter((one) => one.name === name);
    const found = named.find((one) => path.basename(one.file) === path.basename(file)) ?? named[0];
    return found ? { passed: found.passed, failed: found.failed } : null;
  };
}

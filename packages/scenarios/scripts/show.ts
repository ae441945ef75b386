import { styleText } from 'node:util';
import { problemsOf, rateOf, type ScenarioResult, uncheckedOf } from '../src/report.ts';

/** A line for a scenario, and one for each reason why it did not pass. */
export function show(result: ScenarioResult): void {
  const isPassed = result.verdict === 'passed';
  const mark = isPassed ? styleText('green', 'passed   ') : styleText('red', result.verdict.padEnd(9));
  const { passed, failed, invalid, base } = result;
  const counts = base || passed + failed + invalid > 1 ? styleText('dim', `  ${rateOf(result)}`) : '';
  console.log(`${mark}  ${result.name}${counts}`);
  const lines = isPassed ? uncheckedOf(result.runs) : problemsOf(result);
  for (const problem of lines) console.log(styleText('dim', `             ${problem}`));
}

const HEAD = ['Scenario', 'Passed', 'Verdict', 'Time'];
const LAST = HEAD.length - 1;

/** All scenarios with how many of their runs passed, the verdict, and the time of their conversations. */
export function tableOf(results: readonly ScenarioResult[]): string {
  const rows = results.map(({ name, passed, runs, verdict }) => {
    const ms = runs.reduce((sum, { trace }) => sum + trace.duration_ms, 0);
    return [name, `${passed} of ${runs.length}`, verdict, `${(ms / 1000).toFixed(1)} s`];
  });
  const all = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const cellOf = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === LAST ? cell.padStart(width) : cell.padEnd(width);
  };
  return all.map((row) => row.map(cellOf).join('   ')).join('\n');
}

/** Tells on stderr how many scenarios are done: in place on a terminal, otherwise by the line. */
export function createProgress() {
  const { isTTY = false } = process.stderr;
  let shown = '';

  function tell(done: number, all: number): void {
    const text = `${done} of ${all} scenarios are done`;
    if (text === shown) return;
    shown = text;
    process.stderr.write(isTTY ? `\r${text}` : `${text}\n`);
  }

  function clear(): void {
    if (isTTY && shown) process.stderr.write(`\r${' '.repeat(shown.length)}\r`);
    shown = '';
  }

  return { tell, clear };
}

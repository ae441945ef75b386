import { cpus, loadavg } from 'node:os';
import { table } from '@switchboard/testkit/table.ts';

/** One line of the table: the measurement and the requirement; without one it is for information. */
export type Line = { what: string; measured: string } & ({ at_least: string; reached: boolean } | { at_least: null });

/** The result of a section. */
export interface Section {
  lines: Line[];
  /** The figures behind the lines, as Markdown. */
  details: string;
}

/** How busy the machine is, for the end of a section. */
export function loadOfMachine(): string {
  return `Load of the machine at the end, ${cpus().length} cores: ${show(loadavg()[0] ?? Number.NaN)}.`;
}

/** A line that asks for `limit` times `other`, or more. */
export function ratio(what: string, figure: number, other: number, limit: number): Line {
  return {
    what,
    measured: `${show(figure / other)}×`,
    at_least: `${limit}×`,
    reached: figure >= limit * other,
  };
}

/** A line without a requirement: how many times `other` the figure is. */
export function information(what: string, figure: number, other: number): Line {
  return { what, measured: `${show(figure / other)}×`, at_least: null };
}

/** A line that asks for so many percent, or more. */
export function share(what: string, figure: number, whole: number, percent: number): Line {
  return {
    what,
    measured: `${Math.floor((100 * figure) / whole)} %`,
    at_least: `${percent} %`,
    reached: 100 * figure >= percent * whole,
  };
}

/** A line that asks for no more than `limit` times `other`. */
export function atMost(what: string, figure: number, other: number, limit: number): Line {
  return {
    what,
    measured: `${show(figure / other)}×`,
    at_least: `at most ${limit}×`,
    reached: figure <= limit * other,
  };
}

/** A number with three significant digits. */
export function show(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}

/** The loads of several contenders as a table. */
export function loadTable(by: Record<string, { per_second: number; p50_ms: number; p99_ms: number }>): string {
  return table(
    ['', 'a second', 'p50 ms', 'p99 ms'],
    Object.entries(by).map(([name, one]) => [name, show(one.per_second), show(one.p50_ms), show(one.p99_ms)]),
  );
}

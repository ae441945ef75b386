import { createHash } from 'node:crypto';
import { linesOf } from './lines.ts';
import type { RunResult } from './run.ts';
import { type Counts, type Interval, type Verdict, verdictOf, wilson } from './statistics.ts';

/** All runs of one scenario. */
export interface ScenarioResult {
  name: string;
  /** Where it stands, as it was given. */
  file: string;
  verdict: Verdict;
  passed: number;
  failed: number;
  invalid: number;
  /** The 95 % interval of the rate of passed runs. */
  interval: Interval;
  /** Those of the report that it is compared with. */
  base: Counts | null;
  runs: RunResult[];
}

/** The scenario of some runs. */
export interface Subject {
  name: string;
  file: string;
  critical: boolean;
  /** Earlier runs to compare with. */
  base: Counts | null;
}

/** The results of one scenario's runs. */
export function summarize({ name, file, critical, base }: Subject, runs: RunResult[]): ScenarioResult {
  const count = (status: RunResult['status']) => runs.filter((run) => run.status === status).length;
  const [passed, failed, invalid] = [count('passed'), count('failed'), count('invalid')];
  const verdict = verdictOf({ passed, failed }, base, critical);
  return { name, file, verdict, passed, failed, invalid, interval: wilson(passed, passed + failed), base, runs };
}

/** How many runs passed, and how many of the base did. */
export function rateOf({ passed, failed, base }: ScenarioResult): string {
  const before = base && `, before ${base.passed} of ${base.passed + base.failed}`;
  return `${passed} of ${passed + failed}${before ?? ''}`;
}

/** The same for the same conversations, on any machine and whatever the folder is called. */
export function hashOf(results: readonly ScenarioResult[]): string {
  const facts = results.map(({ name, verdict, runs }) => [name, verdict, runs.map(({ hash }) => hash)]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}

/** Problems of the first run that did not pass, a line for each check. */
export function problemsOf({ runs }: Pick<ScenarioResult, 'runs'>): string[] {
  const run = runs.find(({ status }) => status !== 'passed');
  if (!run) return [];
  const { error } = run.trace;
  return [
    ...(error === null ? [] : [`the conversation failed: ${error}`]),
    ...run.checks
      .filter(({ outcome }) => outcome === 'failed' || outcome === 'undecided')
      .map(({ expected, outcome, found }) => `${outcome}: ${expected} (${found})`),
    ...uncheckedOf([run]),
  ];
}

/** Expectations that the runs could not check, each once. */
export function uncheckedOf(runs: readonly Pick<RunResult, 'checks'>[]): string[] {
  const unchecked = runs.flatMap(({ checks }) => checks.filter(({ outcome }) => outcome === 'not_checked'));
  return [...new Set(unchecked.map(({ expected, found }) => `not checked: ${expected} (${found})`))];
}

const XML: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Without the control characters that XML forbids. */
function xml(text: string): string {
  return [...text.replaceAll(/[&<>"]/g, (found) => XML[found] ?? '')]
    .filter((char) => char >= ' ' || '\n\t\r'.includes(char))
    .join('');
}

/** In the format that CI servers read: a test case for each scenario. */
export function toJUnit(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ verdict }) => verdict === 'regressed' || verdict === 'flaky').length;
  const errors = results.filter(({ verdict }) => verdict === 'unknown').length;
  const cases = results.map((result) => {
    const { name, file, verdict, runs } = result;
    const ms = runs.reduce((sum, { trace }) => sum + trace.duration_ms, 0);
    const open = `  <testcase name="${xml(name)}" classname="${xml(file)}" time="${ms / 1000}"`;
    const unchecked = xml(uncheckedOf(runs).join('\n'));
    if (verdict === 'passed')
      return unchecked ? `${open}>\n    <system-out>${unchecked}</system-out>\n  </testcase>` : `${open}/>`;
    const kind = verdict === 'unknown' ? 'error' : 'failure';
    const shown = runs.find(({ status }) => status !== 'passed');
    const text = xml([...problemsOf(result), ...(shown ? linesOf(shown.trace) : [])].join('\n'));
    return `${open}>\n    <${kind} message="${verdict}">${text}</${kind}>\n  </testcase>`;
  });
  const counts = `tests="${results.length}" failures="${failed}" errors="${errors}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="agent-tests" ${counts}>`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}

/** A table, and below it each scenario that did not pass, with its conversation; above it, a note on all of them. */
export function toMarkdown(results: readonly ScenarioResult[], note: string | null = null): string {
  const percent = (rate: number) => `${Math.round(rate * 100)} %`;
  const rows = results.map((result) => {
    const { name, verdict, invalid, interval } = result;
    return `| ${name.replaceAll('|', '\\|')} | ${verdict} | ${rateOf(result)} | ${percent(interval.low)} to ${percent(interval.high)} | ${invalid} |`;
  });
  const details = results
    .filter(({ verdict }) => verdict !== 'passed')
    .flatMap((result) => {
      const shown = result.runs.find(({ status }) => status !== 'passed');
      const lines = shown ? ['', '```', ...linesOf(shown.trace), '```'] : [];
      return ['', `## ${result.name}`, '', ...problemsOf(result).map((problem) => `* ${problem}`), ...lines];
    });
  const unchecked = results.flatMap(({ name, verdict, runs }) =>
    verdict === 'passed' ? uncheckedOf(runs).map((line) => `* ${name}: ${line}`) : [],
  );
  const head = ['| Scenario | Verdict | Passed | Rate, at 95 % | Invalid |', '| --- | --- | --- | --- | --- |'];
  return [
    ...(note ? [note, ''] : []),
    ...head,
    ...rows,
    ...(unchecked.length > 0 ? ['', ...unchecked] : []),
    ...details,
    '',
  ].join('\n');
}

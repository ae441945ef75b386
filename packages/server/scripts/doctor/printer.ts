import { createRedactor } from '../../src/ops/doctor/checks/redactor.ts';
import type { Finding } from '../../src/providers/diagnosis.ts';

/** Prints the findings of the checks, without secrets. */
export function createPrinter(env: Readonly<Record<string, string | undefined>>) {
  const blot = createRedactor(env);
  const counts = { ok: 0, wrong: 0, 'not checked': 0 };

  function line(text: string): void {
    process.stdout.write(`${blot(text)}\n`);
  }

  return {
    line,
    finding({ state, check, text }: Finding): void {
      counts[state] += 1;
      line(`${state.padEnd('not checked'.length)}  ${check}: ${text}`);
    },
    /** Whether nothing is wrong. */
    summary(): boolean {
      line(`\n${counts.ok} ok, ${counts.wrong} wrong, ${counts['not checked']} not checked`);
      return counts.wrong === 0;
    },
  };
}

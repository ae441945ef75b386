/** The result of one check. A failure says what is wrong and what to do. */
export interface Finding {
  state: 'ok' | 'wrong' | 'not checked';
  check: string;
  text: string;
}

export const ok = (check: string, text: string): Finding => ({ state: 'ok', check, text });
export const wrong = (check: string, text: string): Finding => ({ state: 'wrong', check, text });
export const notChecked = (check: string, text: string): Finding => ({ state: 'not checked', check, text });

const TOKEN = /eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;
const SECRET_NAME = /SECRET|TOKEN|PASSWORD|KEY/;
/** Shorter secrets may be part of ordinary words. */
const SECRET_MIN = 8;

/**
 * Prints what the checks find. The checks quote nobody's secrets; should a provider's words hold one, it is blotted out
 * here.
 */
export function createPrinter(env: Readonly<Record<string, string | undefined>>) {
  const secrets = secretsOf(env);
  const counts = { ok: 0, wrong: 0, 'not checked': 0 };

  function line(text: string): void {
    let clean = text.replace(TOKEN, '[token]');
    for (const secret of secrets) clean = clean.replaceAll(secret, '[secret]');
    process.stdout.write(`${clean}\n`);
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

function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  const found = Object.entries(env).flatMap(([name, value]) => {
    if (!value) return [];
    if (name.endsWith('_URL')) return passwordOf(value);
    return SECRET_NAME.test(name) ? [value] : [];
  });
  return found.filter((secret) => secret.length >= SECRET_MIN).sort((a, b) => b.length - a.length);
}

function passwordOf(url: string): string[] {
  const password = /^[a-z+]+:\/\/[^:@/]*:(.+)@/i.exec(url)?.[1];
  if (password === undefined) return [];
  try {
    return [password, decodeURIComponent(password)];
  } catch {
    return [password];
  }
}

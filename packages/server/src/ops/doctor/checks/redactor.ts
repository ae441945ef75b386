const TOKEN = /eyJ[\w-]+\.[\w-]+(\.[\w-]*)?/g;
const SECRET_NAME = /SECRET|TOKEN|PASSWORD|KEY/;
/** Shorter secrets may be part of ordinary words. */
const SECRET_MIN = 8;

/**
 * Redacts secrets in the findings: a provider's message may contain one. The secrets are the values of these
 * settings.
 */
export function createRedactor(settings: object): (text: string) => string {
  const secrets = secretsOf(settings);
  return (text) =>
    secrets.reduce((clean, secret) => clean.replaceAll(secret, '[secret]'), text.replace(TOKEN, '[token]'));
}

function secretsOf(settings: object): string[] {
  const found = Object.entries(settings).flatMap(([name, value]) => {
    if (typeof value !== 'string') return [];
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

import type { SettingView } from './ops/settings/feature.ts';
import { SETTINGS, type Settings } from './settings.ts';

/** Listed explicitly, so that settings added later count as secrets. */
const NO_SECRETS: ReadonlySet<string> = new Set([
  'LIVEKIT_URL',
  'TWILIO_BASE_URL',
  'AUTH_JWT_JWKS_URL',
  'PUBLIC_URL',
  'SECRETS_KMS_URL',
  'SECRETS_KMS_KEY',
  'SECRETS_KMS_MOUNT',
  'SECRETS_KMS_TOKEN_FILE',
]);
const MAY_BE_SECRET = /URL|TOKEN|SECRET|KEY|PASSWORD/;

/** Whether the value of a setting is never shown. */
export function isSecret(name: string): boolean {
  return MAY_BE_SECRET.test(name) && !NO_SECRETS.has(name);
}

/** Every setting as the service sees it, without secrets. */
export function viewSettings(settings: Settings): SettingView[] {
  const schemas = Object.entries(SETTINGS.properties as Record<string, { description?: string; default?: unknown }>);
  return schemas.map(([name, { description, ...schema }]) => {
    const given = textOf(settings[name as keyof Settings]);
    const byDefault = textOf(schema.default);
    return {
      name,
      value: given === null || isSecret(name) ? null : withoutCredentials(given),
      default: byDefault,
      is_set: given !== null && given !== byDefault,
      is_secret: isSecret(name),
      description: description ?? '',
    };
  });
}

function textOf(value: unknown): string | null {
  return value === undefined || value === null ? null : String(value);
}

/** Drops user names, passwords, paths and queries of URLs, which may be secrets; marks the omission. */
function withoutCredentials(text: string): string {
  return text
    .split(',')
    .map((part) => {
      const [, scheme, host, rest] = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)(.*)$/is.exec(part) ?? [];
      if (scheme === undefined) return part;
      return `${scheme}${host}${rest === '' || rest === '/' ? '' : '/…'}`;
    })
    .join(',');
}

import type { Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings as Validator } from 'typebox/system';
import { Default } from 'typebox/value';
import { fromText } from './lib/from-text.ts';
import { closestName } from './lib/misspelled.ts';
import { SETTINGS, type Settings } from './settings.ts';
import { expectation, mistakesOf } from './settings-checks.ts';

/**
 * The configuration is wrong. The message holds every mistake, a line each, with the variable's name and what is
 * expected.
 */
export class ConfigError extends Error {
  constructor(mistakes: string[]) {
    super(['The configuration is wrong:', ...mistakes.map((mistake) => `  ${mistake}`)].join('\n'));
    this.name = 'ConfigError';
  }
}

const settings = Compile(SETTINGS);
// The validator stops at eight by default.
Validator.Set({ maxErrors: 100 });
/** Settings that may hold a password: never printed. */
const SECRET = /URL|TOKEN|SECRET|KEY/;

/**
 * Reads and checks the settings of `env`; an empty variable counts as unset. Throws `ConfigError` with all mistakes at
 * once.
 */
export function loadSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => Object.hasOwn(SETTINGS.properties, name) && value),
  );
  const values = Default(SETTINGS, fromText(SETTINGS.properties, given)) as Static<typeof SETTINGS>;
  const mistakes = settings.Errors(values).map(({ instancePath, message }) => {
    const name = instancePath.slice(1);
    const expected = expectation(SETTINGS.properties[name as keyof typeof SETTINGS.properties]) ?? message;
    return SECRET.test(name) ? `${name}: ${expected}` : `${name}: ${expected} (got ${JSON.stringify(given[name])})`;
  });
  mistakes.push(...mistakesOf(values));
  if (mistakes.length > 0) throw new ConfigError([...mistakes, ...misspelledSettings(env)]);
  return Object.freeze({ ...values, AUTH_MODE: values.AUTH_MODE ?? 'open' });
}

/** A message for each variable of `env` that is not a setting but resembles one. */
export function misspelledSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = Object.keys(SETTINGS.properties);
  return Object.keys(env).flatMap((name) => {
    const setting = closestName(name, known);
    return setting === undefined || env[setting] ? [] : [`${name} is not a known setting; did you mean ${setting}?`];
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '@switchboard/testkit/service.ts';
import { SETTINGS } from '../../src/settings.ts';
import { isSecret } from '../../src/settings-view.ts';

interface Setting {
  name: string;
  value: string | null;
  default: string | null;
  is_set: boolean;
  is_secret: boolean;
  description: string;
}

const HIDDEN = 'Hidden0123456789Hidden0123456789Hidden012345';
/** Values that are accepted, each with something in it that may open a door. */
const SECRETS: Record<string, string> = {
  DATABASE_URL: `postgres://switchboard:${HIDDEN}@db.example.com:5432/calls?password=${HIDDEN}`,
  BOOTSTRAP_KEY: `sb_${HIDDEN}`,
  SECRETS_KEY: `${'Hidden0123456789Hidden0123456789Hidden01234'}=`,
  LIVEKIT_API_KEY: HIDDEN,
  LIVEKIT_API_SECRET: HIDDEN,
  TWILIO_AUTH_TOKEN: HIDDEN,
  OPENID_CLIENT_SECRET: HIDDEN,
  RECORDINGS_S3_ACCESS_KEY_ID: HIDDEN,
  RECORDINGS_S3_SECRET_ACCESS_KEY: HIDDEN,
  SECRETS_KMS_TOKEN: HIDDEN,
};
const URLS: Record<string, string> = {
  LIVEKIT_URL: `wss://livekit.example.com/${HIDDEN}?access_token=${HIDDEN}`,
  TWILIO_BASE_URL: 'https://twilio.example.com',
  AUTH_JWT_ISSUER: `https://${HIDDEN}:${HIDDEN}@login.example.com/realms/${HIDDEN}#${HIDDEN}`,
  AUTH_JWT_JWKS_URL: `https://login.example.com/keys?token=${HIDDEN}`,
  OPENID_ISSUER: `https://login.example.com/${HIDDEN}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `https://:${HIDDEN}@otlp.example.com:4318/${HIDDEN}`,
  SECRETS_KMS_URL: `https://vault.example.com:8200/${HIDDEN}`,
};
const OTHERS = {
  LIVEKIT_SIP_TRUNK_ID: 'ST_1',
  LIVEKIT_AGENT_NAME: 'agent',
  SECRETS_KMS_KEY: 'switchboard',
  CALLING_COUNTRIES: 'US,CA',
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_TRUNK_SID: `TK${'0'.repeat(32)}`,
  OPENID_CLIENT_ID: 'console',
  PUBLIC_URL: 'https://calls.example.com',
  AUTH_JWT_AUDIENCE: 'switchboard',
  TRANSCRIPT_RETENTION_DAYS: '30',
  CALLS_PER_DAY: '1000',
  RECORDINGS_S3_BUCKET: 'recordings',
  RECORDINGS_S3_ENDPOINT: 'https://s3.example.com',
};
const service = await startService({ env: { ...SECRETS, ...URLS, ...OTHERS } });
const answer = await service.request('GET', '/api/settings');
const settings: Setting[] = answer.body.settings;
const shown = (name: string) => settings.find((setting) => setting.name === name);

test('no secret of any setting is shown, nor a part of one', () => {
  const names = Object.keys(SETTINGS.properties);
  assert.deepEqual(names.filter(isSecret).sort(), Object.keys(SECRETS).sort(), 'every secret is tried here');
  assert.doesNotMatch(JSON.stringify(answer.body), /Hidden/);
  for (const name of Object.keys(SECRETS))
    assert.deepEqual([name, shown(name)?.value, shown(name)?.is_set, shown(name)?.is_secret], [name, null, true, true]);
});

test('of an address its scheme and host are shown, and that there is more', () => {
  const values = Object.keys(URLS).map((name) => shown(name)?.value);
  assert.deepEqual(values, [
    'wss://livekit.example.com/…',
    'https://twilio.example.com',
    'https://login.example.com/…',
    'https://login.example.com/…',
    'https://login.example.com/…',
    'https://otlp.example.com:4318/…',
    'https://vault.example.com:8200/…',
  ]);
});

test('every setting is shown in the order of the documentation, with its default and whether it is set', () => {
  assert.deepEqual(
    settings.map(({ name }) => name),
    Object.keys(SETTINGS.properties),
  );
  const facts = (name: string) => [shown(name)?.value, shown(name)?.default, shown(name)?.is_set];
  assert.deepEqual(facts('TRANSCRIPT_RETENTION_DAYS'), ['30', null, true]);
  assert.deepEqual(facts('TURN_RETENTION_DAYS'), [null, null, false]);
  assert.deepEqual(facts('CALLS_PER_DAY'), ['1000', '1000', false]);
  assert.deepEqual(facts('CALLBACK_ALLOW_PRIVATE'), ['true', 'false', true]);
  assert.deepEqual(facts('AUTH_MODE'), ['open', null, true]);
  for (const { name, description } of settings) assert.ok(description.length > 10, name);
});

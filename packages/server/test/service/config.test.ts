import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../src/config.ts';

const LIVEKIT = {
  LIVEKIT_URL: 'ws://127.0.0.1:7880',
  LIVEKIT_API_KEY: 'key',
  LIVEKIT_API_SECRET: 'secret',
  LIVEKIT_SIP_TRUNK_ID: 'ST_1',
  LIVEKIT_AGENT_NAME: 'agent',
  CALLING_COUNTRIES: 'US,CA',
};

test('lists are arrays, and empty where nothing is set', () => {
  const { http, calls, secretsKeys } = loadConfig({ ...LIVEKIT, CORS_ORIGINS: 'https://a.example,https://b.example' });
  assert.deepEqual(http.corsOrigins, ['https://a.example', 'https://b.example']);
  assert.deepEqual(calls.destinations.countries, ['US', 'CA']);
  assert.deepEqual([http.allowedHosts, http.trustProxy, secretsKeys], [[], [], []]);
});

test('a provider is configured completely or not at all', () => {
  assert.equal(loadConfig({}).livekit, null);
  assert.equal(loadConfig({}).twilio, null);
  assert.equal(loadConfig({ TWILIO_BASE_URL: 'http://127.0.0.1:1' }).twilio, null);
  assert.deepEqual(loadConfig(LIVEKIT).livekit, {
    url: 'ws://127.0.0.1:7880',
    apiKey: 'key',
    apiSecret: 'secret',
    sipTrunkId: 'ST_1',
    agentName: 'agent',
  });
});

test('no part of the configuration can be changed', () => {
  const config = loadConfig({}) as { http: { rateLimits: { user: number } } };
  assert.throws(() => {
    config.http.rateLimits.user = 1;
  }, TypeError);
});

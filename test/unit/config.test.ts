import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, loadConfig } from '../../src/config.ts';

/** The mistakes that are reported for this environment, a line each. */
function mistakes(env: Record<string, string>): string[] {
  try {
    loadConfig(env);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  }
  return [];
}

const namesOf = (env: Record<string, string>) => mistakes(env).map((line) => line.split(':')[0]);

test('an empty environment gives the documented defaults', () => {
  const config = loadConfig({});
  assert.equal(config.HOST, '127.0.0.1');
  assert.equal(config.PORT, 8000);
  assert.equal(config.DATABASE_URL, undefined);
  assert.equal(config.DATA_DIR, '.data');
  assert.equal(config.AUTH_MODE, 'open');
  assert.equal(config.TRANSFER_TYPE, 'COLD');
  assert.equal(config.RINGING_TIMEOUT_S, 45);
  assert.equal(config.MAX_CALL_DURATION_S, 7200);
  assert.equal(config.SANDBOX_RING_MS, 100);
  assert.equal(config.CALLBACK_ALLOW_PRIVATE, false);
});

test('a variable that is set to nothing counts as unset', () => {
  assert.deepEqual(loadConfig({ PORT: '', HOST: '', DATABASE_URL: '', LIVEKIT_URL: '' }), loadConfig({}));
});

test('text becomes what the setting is', () => {
  const config = loadConfig({ PORT: '0', CALLBACK_ALLOW_PRIVATE: 'true', DATA_DIR: '5', TRANSFER_TYPE: 'WARM' });
  assert.deepEqual(
    [config.PORT, config.CALLBACK_ALLOW_PRIVATE, config.DATA_DIR, config.TRANSFER_TYPE],
    [0, true, '5', 'WARM'],
  );
});

test('other variables of the environment are not looked at', () => {
  assert.deepEqual(loadConfig({ PATH: '/bin', port: '99999', constructor: 'x', toString: 'y' }), loadConfig({}));
});

test('the configuration cannot be changed', () => {
  const config = loadConfig({}) as { PORT: number };
  assert.throws(() => {
    config.PORT = 1;
  }, TypeError);
});

const WRONG: [env: Record<string, string>, name: string][] = [
  [{ PORT: 'eight thousand' }, 'PORT'],
  [{ PORT: '-1' }, 'PORT'],
  [{ PORT: '65536' }, 'PORT'],
  [{ PORT: '8000.5' }, 'PORT'],
  [{ PORT: 'true' }, 'PORT'],
  [{ RINGING_TIMEOUT_S: '0' }, 'RINGING_TIMEOUT_S'],
  [{ RINGING_TIMEOUT_S: '80' }, 'RINGING_TIMEOUT_S'],
  [{ DATABASE_URL: 'mysql://localhost/x' }, 'DATABASE_URL'],
  [{ CALLBACK_ALLOW_PRIVATE: 'perhaps' }, 'CALLBACK_ALLOW_PRIVATE'],
  [{ TRANSFER_TYPE: 'cold' }, 'TRANSFER_TYPE'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL'],
  [{ AUTH_MODE: 'closed' }, 'AUTH_MODE'],
];
for (const [env, name] of WRONG) {
  test(`${JSON.stringify(env)} is refused, naming ${name}`, () => assert.deepEqual(namesOf(env), [name]));
}

test('all mistakes are told at once', () => {
  assert.deepEqual(
    namesOf({ PORT: 'x', LOG_LEVEL: 'x', TRANSFER_TYPE: 'x', HOST: '0.0.0.0', SANDBOX_RING_MS: '-1' }).sort(),
    ['AUTH_MODE', 'LOG_LEVEL', 'PORT', 'SANDBOX_RING_MS', 'TRANSFER_TYPE'],
  );
});

test('a mistake says what was expected and what was given', () => {
  const [line = ''] = mistakes({ LOG_LEVEL: 'loud' });
  assert.match(line, /fatal, error, warn, info/);
  assert.match(line, /"loud"/);
});

test('a password in a setting that is refused is not shown', () => {
  const [line = ''] = mistakes({ DATABASE_URL: 'postgress://switchboard:hunter2@db.example.com/switchboard' });
  assert.ok(!line.includes('hunter2'), line);
});

test('an address others can reach is refused until AUTH_MODE is set by hand', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example.com', '1270.0.0.1']) {
    assert.deepEqual(namesOf({ HOST }), ['AUTH_MODE'], HOST);
    assert.equal(loadConfig({ HOST, AUTH_MODE: 'open' }).HOST, HOST);
  }
});

test('a loopback address needs no AUTH_MODE', () => {
  for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    assert.equal(loadConfig({ HOST }).AUTH_MODE, 'open');
});

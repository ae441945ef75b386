import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from '../../src/settings.ts';
import { ConfigError, loadSettings, misspelledSettings } from '../../src/settings-load.ts';

/** The mistakes that are reported for this environment, a line each. */
function mistakes(env: Record<string, string>): string[] {
  try {
    loadSettings(env);
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
  const settings = loadSettings({});
  assert.equal(settings.HOST, '127.0.0.1');
  assert.equal(settings.PORT, 8000);
  assert.equal(settings.DATABASE_URL, undefined);
  assert.equal(settings.DATA_DIR, '.data');
  assert.equal(settings.AUTH_MODE, 'open');
  assert.equal(settings.TRANSFER_TYPE, 'COLD');
  assert.equal(settings.RINGING_TIMEOUT_S, 45);
  assert.equal(settings.MAX_CALL_DURATION_S, 7200);
  assert.equal(settings.SANDBOX_RING_MS, 100);
  assert.equal(settings.CALLBACK_ALLOW_PRIVATE, false);
});

test('a variable that is set to nothing counts as unset', () => {
  assert.deepEqual(loadSettings({ PORT: '', HOST: '', DATABASE_URL: '', LIVEKIT_URL: '' }), loadSettings({}));
});

test('text is converted to the type of the setting', () => {
  const settings = loadSettings({ PORT: '0', CALLBACK_ALLOW_PRIVATE: 'true', DATA_DIR: '5', TRANSFER_TYPE: 'WARM' });
  assert.deepEqual(
    [settings.PORT, settings.CALLBACK_ALLOW_PRIVATE, settings.DATA_DIR, settings.TRANSFER_TYPE],
    [0, true, '5', 'WARM'],
  );
});

test('other environment variables are ignored', () => {
  assert.deepEqual(loadSettings({ PATH: '/bin', port: '99999', constructor: 'x', toString: 'y' }), loadSettings({}));
});

test('the configuration cannot be changed', () => {
  const settings = loadSettings({}) as { PORT: number };
  assert.throws(() => {
    settings.PORT = 1;
  }, TypeError);
});

const WRONG: [env: Record<string, string>, name: string][] = [
  [{ SIP_HEADERS_IN: 'X-Account, Diversion' }, 'SIP_HEADERS_IN'],
  [{ SIP_HEADERS_IN: 'Proxy-Authorization' }, 'SIP_HEADERS_IN'],
  [{ SIP_HEADERS_OUT: 'X-Account,call-ID' }, 'SIP_HEADERS_OUT'],
  [{ SIP_HEADERS_OUT: 'X-Account:' }, 'SIP_HEADERS_OUT'],
  [{ SIP_HEADERS_OUT: Array.from({ length: 11 }, (_, index) => `X-${index}`).join() }, 'SIP_HEADERS_OUT'],
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

test('all errors are reported at once', () => {
  assert.deepEqual(
    namesOf({ PORT: 'x', LOG_LEVEL: 'x', TRANSFER_TYPE: 'x', HOST: '0.0.0.0', SANDBOX_RING_MS: '-1' }).sort(),
    ['AUTH_MODE', 'LOG_LEVEL', 'PORT', 'SANDBOX_RING_MS', 'TRANSFER_TYPE'],
  );
});

test('all errors are reported at once, however many they are', () => {
  const types = Object.entries(SETTINGS.properties).map(([name, setting]) => [name, 'type' in setting && setting.type]);
  const names = types.flatMap(([name, type]) => (type === 'integer' || type === 'boolean' ? [String(name)] : []));
  assert.ok(names.length > 20);
  assert.deepEqual(namesOf(Object.fromEntries(names.map((name) => [name, 'x']))).sort(), names.sort());
});

test('a URL that cannot be parsed is refused, and an origin that no browser sends', () => {
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'TWILIO_BASE_URL'])
    for (const host of ['[', 'host:99999', 'a:b:c'])
      assert.deepEqual(namesOf({ [name]: `http://${host}` }), [name], host);
  assert.ok(namesOf({ LIVEKIT_URL: 'wss://[' }).includes('LIVEKIT_URL'));
  assert.ok(namesOf({ AUTH_JWT_JWKS_URL: 'https://host:99999' }).includes('AUTH_JWT_JWKS_URL'));
  for (const origin of ['https://user:hunter2@a.example', 'https://a.example?b', 'https://a.example#b'])
    assert.deepEqual(namesOf({ CORS_ORIGINS: `http://localhost:5173,${origin}` }), ['CORS_ORIGINS'], origin);
});

test('URLs that the log shows, and that nothing could be asked for with a password, have none', () => {
  for (const name of ['LIVEKIT_URL', 'AUTH_JWT_JWKS_URL', 'TWILIO_BASE_URL'])
    for (const user of ['hunter2@', 'me:hunter2@', ':hunter2@'])
      assert.throws(
        () => loadSettings({ [name]: `https://${user}host.example` }),
        ({ message }: Error) =>
          message.includes(`${name}: must have no user and no password`) && !message.includes('hunter2'),
        `${name} ${user}`,
      );
});

test('an error names the expected and the actual value', () => {
  const [line = ''] = mistakes({ LOG_LEVEL: 'loud' });
  assert.match(line, /fatal, error, warn, info/);
  assert.match(line, /"loud"/);
});

test('a password in a refused setting is not shown', () => {
  const [line = ''] = mistakes({ DATABASE_URL: 'postgress://switchboard:hunter2@db.example.com/switchboard' });
  assert.ok(!line.includes('hunter2'), line);
});

test('a non-loopback address is refused until AUTH_MODE is set explicitly', () => {
  for (const HOST of ['0.0.0.0', '::', '192.168.1.5', 'example.com', '127.0.0.1.example.com', '1270.0.0.1']) {
    assert.deepEqual(namesOf({ HOST }), ['AUTH_MODE'], HOST);
    assert.equal(loadSettings({ HOST, AUTH_MODE: 'open' }).HOST, HOST);
  }
});

test('a loopback address needs no AUTH_MODE', () => {
  for (const HOST of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    assert.equal(loadSettings({ HOST }).AUTH_MODE, 'open');
});

test('every error names the allowed values or an example, never a regular expression', () => {
  const wrong = 'not right!';
  const optional = ['HOST', 'DATA_DIR', 'TRUST_PROXY', 'LIVEKIT_API_KEY'];
  const { properties } = SETTINGS;
  for (const name of Object.keys(properties).filter((setting) => !optional.includes(setting))) {
    const [line] = mistakes({ [name]: wrong }).filter((text) => text.startsWith(`${name}: `));
    if (line)
      assert.ok(!/[\^$\\]|pattern|integer|boolean|>=/.test(line.replace('$(openssl', '').replace(wrong, '')), line);
  }
  assert.match(mistakes({ SECRETS_KEY: 'short' })[0] ?? '', /openssl rand -base64 32/);
  assert.match(mistakes({ CALLING_COUNTRIES: 'us, ca' })[0] ?? '', /like US,CA/);
  assert.match(mistakes({ PORT: 'x' })[0] ?? '', /must be a whole number from 0 to 65535/);
});

test('a bootstrap key that can be guessed is refused, and not shown', () => {
  for (const BOOTSTRAP_KEY of ['sb_short', 'x'.repeat(64), `sb_${'x'.repeat(42)}`]) {
    const [line = ''] = mistakes({ BOOTSTRAP_KEY });
    assert.match(line, /^BOOTSTRAP_KEY: must be sb_ and at least 43 .*openssl/);
    assert.ok(!line.includes(BOOTSTRAP_KEY));
  }
});

test('an unknown sslmode, and one without its certificate, are refused without showing the URL', () => {
  const of = (query: string) => mistakes({ DATABASE_URL: `postgres://u:hunter2@h/d?${query}` }).join();
  assert.match(of('sslmode=verify_full'), /sslmode must be one of .*verify-full/);
  assert.match(of('sslmode=verify-ca'), /verify-ca needs sslrootcert/);
  for (const query of ['sslmode=require', 'sslmode=verify-full&channel_binding=require', 'host=/var/run/postgresql'])
    assert.equal(of(query), '');
  assert.ok(!of('sslmode=x').includes('hunter2'));
});

test('a password that ends the host of DATABASE_URL too early is refused, and no part of it is shown', () => {
  for (const password of ['hun/ter2', 'hun/ter2@x', '12?ter2', '12#ter2', 'hun/1?ter2', '12/x?y', '/x?y', '12/x?a=b']) {
    const found = mistakes({ DATABASE_URL: `postgres://u:${password}@h/d` });
    assert.equal(found.length, 1, password);
    assert.match(found[0] ?? '', /^DATABASE_URL: must be a URL .* percent-encoded$/);
  }
  for (const url of [
    'postgres://u:p@x@h/d',
    'postgres://h/d?user=me@corp',
    'postgres://h?user=me@corp',
    'postgres://u:hun%2Fter2@h/d',
    'postgres:///d',
  ])
    assert.deepEqual(mistakes({ DATABASE_URL: url }), [], url);
});

test('a country that does not exist is refused by its code', () => {
  const wrong = 'CALLING_COUNTRIES: no country has the code UK, EU (GB is the United Kingdom)';
  assert.deepEqual(mistakes({ CALLING_COUNTRIES: 'UK,US,EU,AQ' }), [wrong]);
  assert.deepEqual(mistakes({ CALLING_COUNTRIES: 'GB,US' }), []);
});

test('a currency that does not exist is refused by its code', () => {
  assert.deepEqual(mistakes({ CURRENCY: 'XXQ' }), ['CURRENCY: no currency has the code XXQ (USD is the US dollar)']);
  assert.deepEqual(mistakes({ CURRENCY: 'usd' }), ['CURRENCY: must be an ISO 4217 code, like USD']);
  for (const CURRENCY of ['USD', 'EUR', 'JPY', 'BHD', 'XCG']) assert.deepEqual(mistakes({ CURRENCY }), [], CURRENCY);
});

test('a misspelled variable is reported, also beside other errors', () => {
  assert.deepEqual(misspelledSettings({ DATABSE_URL: 'x' }), [
    'DATABSE_URL is not a known setting; did you mean DATABASE_URL?',
  ]);
  for (const name of ['SECRET_KEY', 'LIVEKIT_ULR', 'TWILIO_ACOUNT_SID', 'DATADIR', 'AUTHMODE', 'CALLING_COUNTRY'])
    assert.equal(misspelledSettings({ [name]: 'x' }).length, 1, name);
  assert.ok(mistakes({ PORT: 'x', DATABSE_URL: 'x' }).some((line) => line.includes('did you mean DATABASE_URL')));
});

test('ordinary environment variables, and a similar name beside the right one, are not reported as misspelled', () => {
  const ordinary = `PATH HOME HOSTNAME HOSTS POST PORTS USER LOGNAME SHELL TERM PWD OLDPWD LANG LC_ALL TZ TMPDIR EDITOR PAGER DISPLAY MAIL
    SHLVL NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS npm_config_cache XDG_DATA_DIRS XDG_RUNTIME_DIR SSH_AUTH_SOCK DATABASE_POOL PGHOST
    PGDATABASE TEST_DATABASE_URL KUBERNETES_PORT KUBERNETES_SERVICE_HOST SWITCHBOARD_SERVICE_PORT POSTGRES_PASSWORD AWS_REGION
    LIVEKIT_BIND LIVEKIT_NODE_IP LIVEKIT_KEYS TWILIO_REGION TWILIO_EDGE CI DEBUG BASE_URL`;
  const env = Object.fromEntries(ordinary.split(/\s+/).map((name) => [name, 'x']));
  assert.deepEqual(misspelledSettings(env), []);
  assert.deepEqual(misspelledSettings({ DATABASE_URI: 'x', DATABASE_URL: 'x' }), []);
});

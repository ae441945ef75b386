/** Texts in a URL in the place of an id or a room, as they go over the wire. */
export const PATHS = [
  ...[
    '%00',
    'a%00b',
    '%',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '%c3%28',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e',
    '..',
    '.',
    '%20',
    '+',
  ],
  ...['%0d%0aset-cookie:%20a=b', ';a=b', 'a%2fb', '%5c', '%25%30%30', 'null', 'undefined', '__proto__', 'constructor'],
  ...[
    '0',
    '-1',
    '1e999',
    '%E2%80%AE',
    '%F0%9F%91%8B'.repeat(300),
    "'%3bdrop%20table%20agents--",
    '\xff',
    '{',
    '*',
    '~',
  ],
  ...['01980000-0000-7000-8000-00000000000A', '%7B01980000-0000-7000-8000-000000000000%7D', '%30'.repeat(500)],
  ...['x'.repeat(4096), 'x'.repeat(4097), 'x'.repeat(15_000), 'x'.repeat(20_000)],
];

/** Values of a query parameter. */
export const QUERIES = [
  ...[
    '',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%ed%a0%80',
    '0',
    '-1',
    '-0',
    '1e9',
    '1.5',
    '01',
    '101',
    '9'.repeat(30),
    'NaN',
    'true',
  ],
  ...[
    '__proto__',
    '%2B15005550010',
    '+15005550010',
    '2026-02-30',
    '0000-01-01',
    '9999-12-31',
    '10000-01-01',
    '2026-01-01',
  ],
  ...['2026-01-01T00:00:00Z', '2026-01-01T00:00:00%2B23:59', '0001-01-01T00:00:00%2B23:59', 'daily%0A', 'CREATED%00'],
  ...[
    'MDE5ODAwMDAtMDAwMC03MDAwLTgwMDAtMDAwMDAwMDAwMDAw',
    'AAAA',
    '_-_-',
    'eyJhIjoxfQ',
    '%F0%9F%91%8B'.repeat(500),
    'x'.repeat(8000),
  ],
];

/** Whole queries. */
export const WHOLE_QUERIES = [
  ...[
    '?',
    '&&&',
    '=',
    '__proto__=1',
    '__proto__[a]=1',
    'constructor.prototype.a=1',
    'unknown=1',
    'limit=1&limit=2',
    'limit[]=1',
  ],
  ...[
    'limit[a]=1',
    'limit;cursor',
    '%zz=%zz',
    'a=1&'.repeat(2000),
    '&'.repeat(8000),
    '%00=%00',
    '\xff=\xff',
    'limit=1#x',
  ],
];

const LONG = 'x'.repeat(10_000);

/** Header lines, each in a request of its own. */
export const HEADERS: [string, string][] = [
  ...[
    '',
    ' ',
    'x'.repeat(255),
    'x'.repeat(256),
    LONG,
    '\xff\xfe',
    '\xc3\x28',
    '\xc3\xa9',
    '\xed\xa0\x80',
    'a\tb',
    '__proto__',
    '"',
    '%00',
    'a\x01b',
    'a\0b',
  ].map((value): [string, string] => ['x-user-id', value]),
  ...['', 'x'.repeat(256), LONG, '\xff', 'a\0b', '\xed\xa0\x80', '__proto__'].map((value): [string, string] => [
    'idempotency-key',
    value,
  ]),
  ...['00-x', `00-${'0'.repeat(32)}-${'0'.repeat(16)}-00`, LONG].map((value): [string, string] => [
    'traceparent',
    value,
  ]),
  ...['', LONG, 'a b', '\r\n x: y', '../'].map((value): [string, string] => ['x-request-id', value]),
  ...['', 'Bearer', `Bearer ${LONG}`, `Bearer ${' '.repeat(8000)}x`, 'Basic eDp5', 'Bearer a.b.c'].map(
    (value): [string, string] => ['authorization', value],
  ),
  ...['text/xml', '*/*;q=x', LONG].map((value): [string, string] => ['accept', value]),
  ...['gzip;q=0, *', LONG].map((value): [string, string] => ['accept-encoding', value]),
  ['accept-version', '99'],
  ['range', 'bytes=5-1'],
  ['if-none-match', '*'],
  ['if-modified-since', 'never'],
  ['cookie', `${'a=b; '.repeat(1500)}`],
  ['x-http-method-override', 'DELETE'],
  ['x-forwarded-for', LONG],
  ['forwarded', 'for="[::1]'],
  ['origin', 'null'],
  ['upgrade', 'websocket'],
  ['te', 'trailers'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
  ['x', `y\r\n${'a: b\r\n'.repeat(1500)}z: z`],
  ['x', `y\r\nx-user-id: one\r\nx-user-id: two`],
];

/** Kinds of body that are announced. */
export const CONTENT_TYPES = [
  ...['', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'multipart/form-data'],
  ...[
    'application/json; charset=utf-16',
    'application/json; charset="',
    'application/json;;;',
    'application/json, text/plain',
  ],
  ...[
    'APPLICATION/JSON',
    'application/vnd.api+json',
    'application/webhook+json',
    'application/json\t',
    'application',
    '/',
    '\xff',
  ],
  ...[
    'application/xml',
    `application/json;${'a=b;'.repeat(2000)}`,
    `application/json;${' '.repeat(8000)}x`,
    `${'a'.repeat(8000)}/json`,
    '__proto__',
  ],
];

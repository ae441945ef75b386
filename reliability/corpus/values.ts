const text = (value: string) => JSON.stringify(value);
const nested = (levels: number, open: string, close: string) => `${open.repeat(levels)}1${close.repeat(levels)}`;
const DIGITS = '7'.repeat(401);

const NUMBERS = [
  '0',
  '-0',
  '-1',
  '1.5',
  '1e999',
  '-1e999',
  '1e-999',
  '1e15',
  '9007199254740993',
  DIGITS,
  `0.${DIGITS}`,
];

const TEXTS = {
  empty: '',
  space: ' ',
  NUL: '\0',
  'NUL inside': 'a\0b',
  'control characters': '\u0001\u001f\u007f\u0080',
  'right to left': '\u202e\ufeff\u2066',
  'one grapheme of 601 characters': `e${'\u0301'.repeat(600)}`,
  'family of people, 200 times': '👨‍👩‍👧‍👦'.repeat(200),
  'one too many': 'x'.repeat(256),
  '64 KiB and one': 'x'.repeat(65_537),
  '300 KiB': 'x'.repeat(300_000),
  '300 KiB of graphemes': `e${'\u0301'.repeat(150_000)}`,
  'zeros and an x': `${'0'.repeat(4000)}x`,
  'signs and points': '+-.'.repeat(1000),
  'number with an exponent': '1e5',
  'Arabic digits': '١٢٣',
  NaN: 'NaN',
  'a quote': "'; drop table agents; --",
  'a format': '%s%n{{7*7}}',
  'a way up': '../../etc/passwd',
  'a prototype': '__proto__',
  'id in capitals': '01980000-0000-7000-8000-00000000000A',
  'id in braces': '{01980000-0000-7000-8000-000000000000}',
  'id and a line': '01980000-0000-7000-8000-000000000000\n',
};

const TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '2016-12-31T23:59:60Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00Z',
  '10000-01-01T00:00:00Z',
  '2026-01-01',
  '2026-01-01T00:00:00.123456789123456789Z',
  '-000001-01-01T00:00:00Z',
  '2026-01-01T00:00:00',
  '1e9',
];

const PHONES = [
  '+',
  '+1',
  '+15005550010 ',
  '+1 500 555 0010',
  'tel:+15005550010',
  '+15005550010;ext=5',
  '+0123456789',
  '+999999999999999',
  '+1500555001000000',
  '+１５００５５５００１０',
  '0015005550010',
  '+15005550010\n',
  `+${'1'.repeat(4000)}`,
];

const URLS = [
  'http://',
  'https://user:secret@example.com',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://[::1]:0/',
  'http://127.0.0.1:99999/',
  'http://169.254.169.254/',
  'http://exa mple/',
  'HTTPS://EXAMPLE.COM',
  '//example.com',
  'http://0x7f.1/',
  'http://пример.example/',
  `https://example.com/${'x'.repeat(2048)}`,
  `http://${'a.'.repeat(1000)}`,
];

const STRUCTURES = {
  null: 'null',
  true: 'true',
  'empty list': '[]',
  'empty object': '{}',
  'list of null': '[null]',
  'lone high surrogate': String.raw`"\ud800"`,
  'lone low surrogate inside': String.raw`"a\udc00b"`,
  'surrogates the wrong way round': String.raw`{"\udc00\ud800":1}`,
  'key with NUL': String.raw`{"a\u0000":1}`,
  'infinite number inside': '{"a":[1e999]}',
  '33 objects': nested(33, '{"a":', '}'),
  '33 lists': nested(33, '[', ']'),
  '999 objects': nested(998, '{"a":', '}'),
  '10,000 objects': nested(10_000, '{"a":', '}'),
  '10,000 lists': nested(10_000, '[', ']'),
  prototype: '{"__proto__":{"polluted":true}}',
  'prototype with escapes': String.raw`{"__pro\u0074o__":{"polluted":true}}`,
  'constructor and prototype': '{"constructor":{"prototype":{"polluted":true}}}',
  constructor: '{"constructor":{"name":"x"},"prototype":{}}',
  'names of methods': '{"toString":1,"toJSON":1,"hasOwnProperty":1,"then":1,"valueOf":null,"length":-1}',
  'the same key twice': '{"a":1,"a":{"b":2}}',
  '20,000 keys': `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`)}}`,
  '250 KiB of numbers': `{"a":[${'1,'.repeat(124_000)}1]}`,
};

/** JSON texts as values of any field, by name. */
export const VALUES: Record<string, string> = {
  ...Object.fromEntries(NUMBERS.map((literal) => [`number ${literal.slice(0, 30)}`, literal])),
  ...Object.fromEntries(Object.entries(TEXTS).map(([name, value]) => [name, text(value)])),
  ...Object.fromEntries([...TIMES, ...PHONES, ...URLS].map((value) => [value.slice(0, 40), text(value)])),
  ...STRUCTURES,
};

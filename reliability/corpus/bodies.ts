const MIB = 1024 * 1024;

/** `unit` repeated to fill 1 MiB. */
function filled(unit: string, head = '', tail = ''): string {
  return head + unit.repeat(Math.floor((MIB - head.length - tail.length) / Buffer.byteLength(unit))) + tail;
}

const keys = (length: number, value = '1') => `{${Array.from({ length }, (_, index) => `"k${index}":${value}`)}}`;

/** Bodies that fit no operation: no JSON, no object, far too large, or as expensive to parse as possible. */
export const BODIES: Record<string, string | Buffer> = {
  nothing: '',
  spaces: ' \r\n\t',
  'not JSON': 'not json',
  'a comment': '/* */{}',
  'a list': '[{}]',
  'a text': '"x"',
  null: 'null',
  'infinite number': '1e999',
  'two values': '{}{}',
  'no end': '{"a":',
  'a byte order mark': '\ufeff{}',
  'UTF-16': Buffer.from('{"name":"x"}', 'utf16le'),
  'bytes that are no UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  'surrogates as bytes': Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]),
  'half a character': Buffer.from([0x22, 0xe2, 0x82]),
  'NUL bytes': '\0\0\0',
  'a prototype': '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
  '500,000 lists that are open': '['.repeat(500_000),
  '500,000 lists': `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
  '1 MiB of open lists': filled('['),
  '1 MiB of open objects': filled('{"a":'),
  '170,000 objects': `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`,
  '80,000 keys': keys(80_000),
  '80,000 keys and a mistake': `${keys(80_000).slice(0, -1)},}`,
  '70,000 keys with objects': keys(70_000, '{}'),
  '1 MiB of numbers': filled('1,', '[', '1]'),
  '1 MiB of numbers in a field': filled('1,', '{"config":{"a":[', '1]}}'),
  '1 MiB of numbers and a mistake': filled('1,', '[', '1'),
  '1 MiB of one number': filled('1', '{"quantity":', '}'),
  '1 MiB of zeros': filled('0', '{"quantity":"', 'x"}'),
  '1 MiB of objects': filled('{},', '[', '{}]'),
  '1 MiB of objects in a field': filled('{},', '{"config":{"a":[', '{}]},"metadata":{},"session_data":{}}'),
  '1 MiB of objects in another': filled('{},', '{"metadata":{"a":[', '{}]},"session_data":{}}'),
  '1 MiB of texts': filled('"",', '{"session_data":{"a":[', '""]}}'),
  '1 MiB of amounts': filled('"quantity":1,', '{', '"quantity":1e-7}'),
  '1 MiB of escapes': filled('\\n', '{"name":"', '"}'),
  '1 MiB of escaped NULs': filled('\\u0000', '{"name":"', '"}'),
  '1 MiB of surrogates': filled('\\ud800', '{"content":"', '"}'),
  '1 MiB of graphemes': filled('👨‍👩‍👧‍👦', '{"name":"', '"}'),
  '1 MiB of one grapheme': filled('\u0301', '{"description":"e', '"}'),
  '1 MiB of prototypes': filled('{"__proto__":1},', '[', '1]'),
  '1 MiB of constructors': filled('{"constructor":1},', '[', '1]'),
  '1 MiB of wrong keys': filled('"a":tru,', '{', '}'),
  '1 MiB of commas': filled(','),
  '1 MiB of quotes': filled('"'),
  '1 MiB of spaces and a mistake': filled(' ', '', 'x'),
  '1 MiB of comments': filled('/**/'),
  'a byte more than 1 MiB': `{}${' '.repeat(MIB - 1)}`,
};

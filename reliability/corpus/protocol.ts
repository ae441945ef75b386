import { gzipSync } from 'node:zlib';

/** Bytes sent on a separate connection. */
export interface Exchange {
  name: string;
  bytes: string | Buffer;
  /** Number of responses to wait for; 1 by default. */
  count?: number;
  /** The connection is closed after the bytes; there may be no response. */
  thenEnd?: boolean;
}

const AGENT = '{"name":"x","user_id":"user-1"}';
const LENGTH = `content-length: ${AGENT.length}`;
const JSON_TYPE = 'content-type: application/json';

function post(headers: string[], body: string | Buffer = AGENT, first = 'POST /api/agents/ HTTP/1.1'): Buffer {
  const head = [first, 'host: localhost', JSON_TYPE, ...headers].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

const get = (target: string, version = 'HTTP/1.1') => `GET ${target} ${version}\r\nhost: localhost\r\n\r\n`;
const chunked = (...chunks: string[]) => post(['transfer-encoding: chunked'], chunks.join(''));
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
const hundredThousand = Array.from(`{"name":"${'x'.repeat(20_000)}","user_id":"user-1"}`, chunk);

const framing: Record<string, Buffer> = {
  'content-length that is negative': post(['content-length: -1']),
  'content-length that is no number': post(['content-length: 1e3']),
  'content-length in hexadecimal': post(['content-length: 0x1f']),
  'content-length of 10^40': post([`content-length: 1${'0'.repeat(40)}`]),
  'content-length twice, alike': post([LENGTH, LENGTH]),
  'content-length twice, different': post([LENGTH, 'content-length: 5']),
  'content-length with a list': post([`${LENGTH}, 5`]),
  'content-length and chunks': post([LENGTH, 'transfer-encoding: chunked'], `${chunk(AGENT)}0\r\n\r\n`),
  'content-length that is too small': post(['content-length: 5']),
  'content-length far beyond 1 MiB': post(['content-length: 99999999999']),
  'no content-length and a body': post([]),
  'transfer-encoding that is unknown': post(['transfer-encoding: rot13']),
  'transfer-encoding gzip': post(['transfer-encoding: gzip, chunked'], `${chunk(AGENT)}0\r\n\r\n`),
  'transfer-encoding twice': post(
    ['transfer-encoding: chunked', 'transfer-encoding: identity'],
    `${chunk(AGENT)}0\r\n\r\n`,
  ),
  'one chunk': chunked(chunk(AGENT), '0\r\n\r\n'),
  'a chunk for each byte': chunked(...hundredThousand, '0\r\n\r\n'),
  'a chunk with an extension': chunked(`${AGENT.length.toString(16)};${'a'.repeat(1000)}\r\n${AGENT}\r\n`, '0\r\n\r\n'),
  'a chunk with extensions of 20 kB': chunked(`1f;${'a=b;'.repeat(5000)}\r\n${AGENT}\r\n`, '0\r\n\r\n'),
  'a chunk whose length is no number': chunked('xyz\r\n{}\r\n0\r\n\r\n'),
  'a chunk whose length is beyond everything': chunked(`${'f'.repeat(30)}\r\n{}`),
  'a chunk whose length is wrong': chunked(`5\r\n${AGENT}\r\n0\r\n\r\n`),
  'chunks beyond 1 MiB': chunked(...Array(20).fill(chunk(' '.repeat(65_536))), '0\r\n\r\n'),
  trailers: chunked(chunk(AGENT), '0\r\nx-user-id: somebody\r\ncontent-length: 5\r\n\r\n'),
  'gzip that is said': post(['content-encoding: gzip', `content-length: ${gzipSync(AGENT).length}`], gzipSync(AGENT)),
  'gzip that is not said': post([`content-length: ${gzipSync(AGENT).length}`], gzipSync(AGENT)),
  'content-encoding identity': post(['content-encoding: identity', LENGTH]),
  'a gzip of 1 GiB in 1 MiB': post(
    ['content-encoding: gzip', 'content-length: 1048576'],
    Buffer.alloc(1_048_576, gzipSync('x')),
  ),
};

const lines: Record<string, string | Buffer> = {
  'no HTTP': 'nonsense\r\n\r\n',
  binary: Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0, 0, 0x0d, 0x0a, 0x0d, 0x0a]),
  'preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'HTTP/1.0': get('/healthz', 'HTTP/1.0'),
  'HTTP/1.0 without a host': 'GET /healthz HTTP/1.0\r\n\r\n',
  'HTTP/3.7': get('/healthz', 'HTTP/3.7'),
  'HTTP/0.9': 'GET /healthz\r\n\r\n',
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'host twice': 'GET /healthz HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
  'host that is none': 'GET /healthz HTTP/1.1\r\nhost: @@:::\r\n\r\n',
  'method that is unknown': 'BREW /api/agents/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'method in small letters': 'get /healthz HTTP/1.1\r\nhost: x\r\n\r\n',
  'method CONNECT': 'CONNECT localhost:22 HTTP/1.1\r\nhost: x\r\n\r\n',
  'an upgrade': 'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
  'a space in the URL': get('/api/agents/a b'),
  'a NUL in the URL': get('/api/agents/\0'),
  'a bare line feed': 'GET /healthz HTTP/1.1\nhost: x\n\n',
  'a folded header': 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-a: b\r\n c\r\n\r\n',
  'a header without a name': 'GET /healthz HTTP/1.1\r\nhost: x\r\n: b\r\n\r\n',
  'a header without a colon': 'GET /healthz HTTP/1.1\r\nhost: x\r\nnonsense\r\n\r\n',
  'a header with a space before its colon': 'GET /healthz HTTP/1.1\r\nhost: x\r\nx-user-id : y\r\n\r\n',
  'a header of 20 kB': `GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
  '3,000 headers': `GET /healthz HTTP/1.1\r\nhost: x\r\n${'a:\r\n'.repeat(3000)}\r\n`,
  'a URL of 15 kB': get(`/${'x'.repeat(15_000)}`),
  'a URL of slashes': get('/'.repeat(10_000)),
  'a URL of dots': get('/..'.repeat(3000)),
  'a URL of another host': get('http://example.com/api/agents/x'),
  'a URL of no path': get('*'),
  'a URL of two slashes': get('//example.com/api'),
  'Expect that is unknown': post([LENGTH, 'expect: miracles']),
};

// PROPFIND and the like are methods that Node's parser knows.
const METHODS = ['PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LINK', 'PURGE', 'M-SEARCH', 'SUBSCRIBE', 'SOURCE'];

const truncated = ['{', AGENT.slice(0, 20), ''].flatMap((body, index): Exchange[] => [
  { name: `closed in the middle ${index}`, bytes: post([LENGTH], body), thenEnd: true },
  { name: `closed in the middle of a chunk ${index}`, bytes: chunked(`1f\r\n${body}`), thenEnd: true },
]);

export const EXCHANGES: Exchange[] = [
  ...Object.entries({ ...framing, ...lines }).map(([name, bytes]) => ({ name, bytes })),
  ...METHODS.map((method) => ({ name: method, bytes: post([LENGTH], AGENT, `${method} /api/agents/ HTTP/1.1`) })),
  ...truncated,
  { name: 'closed in the middle of the headers', bytes: 'GET /healthz HTTP/1.1\r\nhost:', thenEnd: true },
  { name: 'Expect: 100-continue', bytes: post([LENGTH, 'expect: 100-continue']), count: 2 },
  { name: '200 requests at once', bytes: Buffer.concat(Array(200).fill(post([LENGTH]))), count: 200 },
  { name: 'a request and nonsense', bytes: `${get('/healthz')}nonsense\r\n\r\n`, count: 2 },
];

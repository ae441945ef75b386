import type { Switchboard } from '@switchboard/client';

/** The call that a form makes when it is submitted. */
export type Ask = (api: Switchboard) => Promise<unknown>;

export const LANGUAGES = ['curl', 'TypeScript', 'Python'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A request that was not sent. */
export interface ApiCall {
  method: string;
  url: string;
  /** Those that a program has to set beside the type of the body and the key. */
  headers: Record<string, string>;
  /** Whether it carries an `Idempotency-Key`, so that it can be repeated. */
  hasKey: boolean;
  /** JSON; undefined without a body. */
  body: unknown;
  /** The method of the client, such as `budgets.set`, and its arguments. */
  name: string;
  args: unknown[];
}

type CreateApi = (fetch: (request: Request) => Promise<Response>) => Switchboard;

/** Calls a client that sends nothing; null if the form does not ask for anything yet. */
export async function captureCall(createApi: CreateApi, ask: Ask): Promise<ApiCall | null> {
  const seen: Promise<Sent>[] = [];
  const said: Pick<ApiCall, 'name' | 'args'>[] = [];
  const api = createApi(async (request) => {
    seen.push(read(request.clone()));
    return Response.json({});
  });
  // An answer without fields is none that the client expects.
  await (async () => ask(telling(api, (name, args) => said.push({ name, args }))))().catch(() => {});
  const [[sent], [method]] = [seen, said];
  return sent && method ? { ...(await sent), ...method } : null;
}

type Sent = Omit<ApiCall, 'name' | 'args'>;

const OWN = ['x-user-id', 'if-match'];

/** The text of a header, whose characters are the bytes of UTF-8. */
function textIn(headers: Headers, name: string): string {
  return new TextDecoder().decode(Uint8Array.from(headers.get(name) ?? '', (byte) => byte.charCodeAt(0)));
}

async function read(request: Request): Promise<Sent> {
  const { method, url, headers } = request;
  const text = await request.text();
  return {
    method,
    url,
    headers: Object.fromEntries(OWN.flatMap((name) => (headers.has(name) ? [[name, textIn(headers, name)]] : []))),
    hasKey: headers.has('idempotency-key'),
    body: text === '' ? undefined : JSON.parse(text),
  };
}

/** The client, which tells the methods that are called. */
function telling(api: Switchboard, tell: (name: string, args: unknown[]) => void): Switchboard {
  const groupOf = (group: object, name: string) =>
    new Proxy(group, {
      get: (target, method) => {
        const own = Reflect.get(target, method);
        if (typeof own !== 'function') return own;
        return (...args: unknown[]) => {
          tell(`${name}.${String(method)}`, args);
          return own.apply(target, args);
        };
      },
    });
  return new Proxy(api, {
    get: (target, name) => {
      const own = Reflect.get(target, name);
      return typeof own === 'object' && own !== null ? groupOf(own, String(name)) : own;
    },
  });
}

/** A program that makes the call. With a key, it is read from the environment. */
export function textOf(call: ApiCall, language: Language, withKey: boolean): string {
  if (language === 'curl') return curlOf(call, withKey);
  return language === 'Python' ? pythonOf(call, withKey) : typescriptOf(call, withKey);
}

const KEY = 'SWITCHBOARD_KEY';

function curlOf({ method, url, headers, hasKey, body }: ApiCall, withKey: boolean): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = [`curl -X ${method} ${quoted(url)}`];
  if (withKey) lines.push(`-H "Authorization: Bearer $${KEY}"`);
  for (const [name, value] of Object.entries(headers)) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  if (hasKey) lines.push('-H "Idempotency-Key: $(date +%s)-$RANDOM"');
  if (body !== undefined)
    lines.push(`-H 'content-type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`);
  return lines.join(' \\\n  ');
}

function typescriptOf({ url, headers, name, args }: ApiCall, withKey: boolean): string {
  const user = headers['x-user-id'];
  const options = [
    `  baseUrl: ${JSON.stringify(new URL(url).origin)},`,
    ...(withKey ? [`  apiKey: process.env.${KEY} ?? '',`] : []),
    ...(user === undefined ? [] : [`  userId: ${JSON.stringify(user)},`]),
  ];
  // Names of fields without quotation marks; no string of JSON begins a line and is followed by a colon.
  const literal = (value: unknown) => JSON.stringify(value, null, 2).replaceAll(/^( *)"([A-Za-z_]\w*)":/gm, '$1$2:');
  const given = args.map(literal).join(', ');
  return [
    "import { createSwitchboard } from '@switchboard/client';",
    '',
    'const sb = createSwitchboard({',
    ...options,
    '});',
    `console.log(await sb.${name}(${given}));`,
  ].join('\n');
}

function pythonOf({ method, url, headers, hasKey, body }: ApiCall, withKey: boolean): string {
  const named = [
    ...(withKey ? [`        "Authorization": "Bearer " + os.environ["${KEY}"],`] : []),
    ...Object.entries(headers).map(([name, value]) => `        "${name}": ${JSON.stringify(value)}.encode(),`),
    ...(hasKey ? ['        "Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body === undefined ? [] : ['        "content-type": "application/json",']),
  ];
  const modules = [body !== undefined && 'json', withKey && 'os', 'urllib.request', hasKey && 'uuid'].filter(Boolean);
  return [
    `import ${modules.join(', ')}`,
    '',
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(named.length > 0 ? ['    headers={', ...named, '    },'] : []),
    ...(body === undefined ? [] : [`    data=json.dumps(${literalOf(body, '    ')}).encode(),`]),
    ')',
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n');
}

/** A value of JSON in Python. */
function literalOf(value: unknown, indent: string): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close, parts] = Array.isArray(value)
    ? ['[', ']', value.map((one) => literalOf(one, inner))]
    : ['{', '}', Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${literalOf(one, inner)}`)];
  return parts.length === 0
    ? open + close
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export const TOKEN = 'hvs.a-token';
export const KEY = 'user-keys';

interface Body {
  plaintext?: string;
  ciphertext?: string;
  associated_data?: string;
}

/**
 * A stand-in for the transit engine of Vault and OpenBao: it checks requests like the documented API, and encrypts with
 * versions of AES-256-GCM keys.
 */
export async function startTransit() {
  const keys = new Map([[KEY, [randomBytes(32)]]]);
  const state = {
    requests: 0,
    /** When each of them came, in ms. */
    times: [] as number[],
    /** Tokens that may use it. */
    tokens: new Set([TOKEN]),
    /** Statuses with which the next requests are answered; `stall` for no answer. */
    failures: [] as (number | 'stall')[],
    /** Whether it is sealed. */
    isSealed: false,
    /** Whether it accepts requests and never answers. */
    isStalled: false,
  };

  function encrypt(versions: Buffer[], { plaintext, associated_data = '' }: Body) {
    const [iv, version] = [randomBytes(12), versions.length];
    const cipher = createCipheriv('aes-256-gcm', versions.at(-1) as Buffer, iv);
    cipher.setAAD(Buffer.from(associated_data, 'base64'));
    const bytes = Buffer.concat([iv, cipher.update(plaintext ?? '', 'base64'), cipher.final(), cipher.getAuthTag()]);
    return { ciphertext: `vault:v${version}:${bytes.toString('base64')}`, key_version: version };
  }

  function decrypt(versions: Buffer[], { ciphertext = '', associated_data = '' }: Body) {
    const [, version, text] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? [];
    const key = versions[Number(version) - 1];
    if (!key || !text) throw new Error('invalid ciphertext: no prefix');
    const bytes = Buffer.from(text, 'base64');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(associated_data, 'base64'));
    decipher.setAuthTag(bytes.subarray(-16));
    return {
      plaintext: Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('base64'),
    };
  }

  function answer(method: string | undefined, url: string, token: unknown, body: string): [number, object] {
    const failed = state.failures.shift();
    if (failed) return [Number(failed), { errors: ['it fails'] }];
    if (state.isSealed) return [503, { errors: ['Vault is sealed'] }];
    if (!state.tokens.has(String(token))) return [403, { errors: ['permission denied'] }];
    const [, action, name = ''] = /^\/v1\/transit\/(encrypt|decrypt)\/([\w.-]+)$/.exec(url) ?? [];
    if (method !== 'POST' || !action) return [404, { errors: [`no handler for route "${url}"`] }];
    const versions = keys.get(name);
    if (!versions) return [400, { errors: ['encryption key not found'] }];
    try {
      return [200, { data: (action === 'encrypt' ? encrypt : decrypt)(versions, JSON.parse(body)) }];
    } catch (error) {
      return [400, { errors: [String(error)] }];
    }
  }

  const server = createServer((request, response) => {
    state.requests++;
    state.times.push(performance.now());
    if (state.isStalled) return;
    if (state.failures[0] === 'stall') return void state.failures.shift();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const token = request.headers['x-vault-token'];
      const [status, said] = answer(request.method, request.url ?? '', token, Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(said));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    /** Adds a version, which encrypts from then on. */
    rotate: (name = KEY) => keys.get(name)?.push(randomBytes(32)),
    /** Makes another key. */
    add: (name: string) => keys.set(name, [randomBytes(32)]),
  };
}

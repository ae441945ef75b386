import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { AwsClient } from 'aws4fetch';
import { AppError } from '../../lib/errors.ts';
import { diagnoseStorage } from './diagnose.ts';
import type { Storage } from './storage.ts';

/** A store that speaks the protocol of Amazon S3. */
export interface S3Settings {
  /** Its address; the bucket is the first part of the path. */
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The `x-amz-server-side-encryption` of each object; null: as the bucket is configured. */
  encryption: string | null;
}

const TIMEOUT_MS = 15_000;

/** Objects in a bucket of an S3-compatible store. */
export function createS3Storage(settings: S3Settings): Storage {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, encryption } = settings;
  // Not repeated here: whoever asked does that, later each time.
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  const base = `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`;
  const urlOf = (key: string) => `${base}/${key.split('/').map(encodeURIComponent).join('/')}`;

  /** The answer. Throws `provider_unavailable` for every status but those given. */
  function send(url: string, init: RequestInit, ...expected: number[]): Promise<Response> {
    // In time is its head: a body is read at the pace of whoever hears it.
    return ask(url, init, expected, async (response) => response);
  }

  /** The result of `read`, in time. */
  async function ask<T>(
    url: string,
    init: RequestInit,
    expected: number[],
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const timer = new AbortController();
    const late = setTimeout(() => timer.abort(new Error(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
    try {
      const response = await client.fetch(url, { ...init, signal: timer.signal });
      if (expected.includes(response.status)) return await read(response);
      throw new Error(`${init.method} was answered with ${response.status} ${reasonIn(await response.text())}`);
    } catch (cause) {
      throw failed(cause);
    } finally {
      clearTimeout(late);
    }
  }

  async function put(key: string, bytes: Uint8Array): Promise<void> {
    const headers = {
      // Signed, so that the store refuses bytes that were changed on the way.
      'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
      ...(encryption !== null && { 'x-amz-server-side-encryption': encryption }),
    };
    await (await send(urlOf(key), { method: 'PUT', body: Buffer.from(bytes), headers }, 200)).body?.cancel();
    const stored = await send(urlOf(key), { method: 'HEAD' }, 200);
    const size = Number(stored.headers.get('content-length'));
    if (size !== bytes.length) throw failed(new Error(`it says that it has ${size} of ${bytes.length} bytes`));
  }

  async function read(key: string, range?: { start: number; end: number }): Promise<Readable> {
    const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
    const { body } = await send(urlOf(key), { method: 'GET', headers }, range ? 206 : 200);
    return body ? Readable.fromWeb(body as ReadableStream) : Readable.from([]);
  }

  /** Up to a thousand keys. Throws for an answer that is no list: a page of a proxy would say that nothing is there. */
  function list(prefix: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix });
    return ask(`${base}?${query}`, { method: 'GET' }, [200], async (response) => {
      const text = await response.text();
      const keys = [...text.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key = '']) => key);
      const isWhole = /<ListBucketResult[\s>]/.test(text) && (keys.length > 0 || !/<IsTruncated>true</.test(text));
      if (!isWhole) throw new Error(`it did not list its objects: ${reasonIn(text)}`);
      return keys;
    });
  }

  async function removeAll(folder: string): Promise<void> {
    const deleted = new Set<string>();
    for (let keys = await list(`${folder}/`); keys.length > 0; keys = await list(`${folder}/`)) {
      const kept = keys.find((key) => deleted.has(key));
      if (kept !== undefined) throw failed(new Error(`it still lists ${kept}, which it has deleted`));
      for (const key of keys) {
        await (await send(urlOf(key), { method: 'DELETE' }, 200, 204, 404)).body?.cancel();
        deleted.add(key);
      }
    }
  }

  const methods = { name: `the bucket ${bucket} at ${new URL(endpoint).host}`, put, read, removeAll };
  const remedy = 'Check RECORDINGS_S3_*, and that the key may put, get, list and delete objects.';
  return { ...methods, diagnose: () => diagnoseStorage(methods, remedy) };
}

const failed = (cause: unknown) =>
  new AppError('provider_unavailable', { detail: 'The storage of recordings failed.', cause });

/** The code and the message of an error in XML; other text as it is, shortened. */
function reasonIn(text: string): string {
  const [, code] = /<Code>([^<]*)<\/Code>/.exec(text) ?? [];
  const [, message = ''] = /<Message>([^<]*)<\/Message>/.exec(text) ?? [];
  return (code === undefined ? text : `${code} ${message}`).trim().slice(0, 500);
}

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { openTestDatabase } from '@switchboard/testkit/database.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { SECRETS_KEY } from '@switchboard/testkit/keys.ts';
import { type Service, startService } from '@switchboard/testkit/service.ts';
import { KEY, startTransit, TOKEN } from './transit.ts';

/** A database, a key management service, and processes that use both. */
export async function openKms() {
  const database = await openTestDatabase();
  after(() => database.close());
  const { db } = database;
  const transit = await startTransit();
  const LOCAL = { SECRETS_KEY };
  const ALONE = { SECRETS_KMS_URL: transit.url, SECRETS_KMS_KEY: KEY, SECRETS_KMS_TOKEN: TOKEN };
  const KMS = { ...LOCAL, ...ALONE };

  /** A process of the service with these settings. */
  async function as<T>(env: Record<string, string>, work: (service: Service) => Promise<T>): Promise<T> {
    const service = await startService({ database, env: { ENCRYPT_CONTENT: 'true', ...env } });
    return work(service).finally(() => service.close());
  }

  const say = (service: Service, room_name: string, content: string) =>
    service.request('POST', `/api/sessions/by-room/${room_name}/transcripts`, { body: { content } });

  async function talk(service: Service) {
    const agent_id = await createAgent(service);
    const call = await placeCall(service, '+15005550100', { agent_id });
    await reaches(service, call.call_id, 'ANSWERED');
    assert.equal((await say(service, call.room_name, 'about zebulon')).status, 201);
    // Indexed in the background, with the key of the installation.
    await eventually(
      async () => {
        await service.app.reconcile();
        return (await service.request('GET', '/api/calls?q=zebulon')).body.items.length;
      },
      (count) => count > 0,
    );
    await eventually(secrets, ({ length }) => length >= 2);
    return call;
  }

  async function said(service: Service, call_id: string): Promise<string[]> {
    const { status, body } = await service.request('GET', `/api/sessions/${call_id}/transcripts`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items.map(({ content }: { content: string }) => content);
  }

  /** Status, code and Retry-After of reading what was said. */
  async function refusalTo(service: Service, call_id: string, path = `/api/sessions/${call_id}/transcripts`) {
    const response = await fetch(service.url + path);
    const { code } = (await response.json()) as { code?: string };
    return [response.status, code, response.headers.get('retry-after')];
  }

  const secrets = async () => (await db.selectFrom('data_keys').select('secret').execute()).map(({ secret }) => secret);
  const areAll = async (pattern: RegExp) => {
    const all = await secrets();
    assert.ok(all.length >= 2, 'a user’s and that of the installation');
    for (const secret of all) assert.match(secret, pattern);
  };
  return { db, transit, LOCAL, ALONE, KMS, as, say, talk, said, refusalTo, areAll };
}

import { keysOf } from '@switchboard/testkit/keys.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { createSwitchboard } from '../../src/index.ts';
import { openSession } from './requests.ts';

/** A service that asks for keys, with one of a backend and one of a worker, and a session of `user-1`. */
export async function startGuarded() {
  const guarded = await startService({ env: { AUTH_MODE: 'required' } });
  const keys = keysOf(guarded.database);
  const backend = await keys.create({ name: 'a backend', role: 'service', user_id: null });
  const worker = await keys.create({ name: 'a worker', role: 'worker', user_id: null });
  const owner = createSwitchboard({ baseUrl: guarded.url, apiKey: backend.key });
  return { guarded, backend, worker, owner, session: await openSession(owner, 'user-1') };
}

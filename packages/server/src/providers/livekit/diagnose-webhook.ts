import { createHash, randomUUID } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import { networkTrouble } from '../../lib/network-trouble.ts';
import { type Finding, type MediaFacts, notChecked, ok, wrong } from '../diagnosis.ts';

interface Keys {
  apiKey: string;
  apiSecret: string;
}

/** Whether the service accepts webhooks signed with our key, and rejects others. The test event has no effect. */
export async function checkSignature({ apiKey, apiSecret }: Keys, { postEvent }: MediaFacts): Promise<Finding> {
  const check = 'webhook signature';
  if (!postEvent) return notChecked(check, 'the service has to be ready for this');
  const body = JSON.stringify({ event: 'doctor', id: `EV_doctor_${randomUUID()}` });
  try {
    const unsigned = await postEvent(body);
    if (unsigned === 200)
      return wrong(
        check,
        'the service takes webhooks without one: it runs in the sandbox. Start it with LIVEKIT_URL set.',
      );
    if (unsigned !== 401)
      return wrong(
        check,
        `POST /api/media/webhook answers ${unsigned}, not 401. Check what stands before the service.`,
      );
    const signed = await postEvent(body, await sign(body, apiKey, apiSecret));
    if (signed === 200) return ok(check, 'the service takes a webhook signed with LIVEKIT_API_SECRET, and no other');
    if (signed === 401)
      return wrong(
        check,
        'the service refuses a webhook signed with LIVEKIT_API_SECRET: it runs with another key or secret, or its clock differs. Start it with the same variables.',
      );
    return wrong(check, `the service answers a signed webhook with ${signed}. Its log says more.`);
  } catch (error) {
    return wrong(check, `the service does not answer a webhook: ${networkTrouble(error)}. Its log says more.`);
  }
}

async function sign(body: string, apiKey: string, apiSecret: string): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { ttl: 60 });
  token.sha256 = createHash('sha256').update(body).digest('base64');
  return token.toJwt();
}

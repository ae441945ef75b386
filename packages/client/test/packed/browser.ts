// In a page: what a page does with the client, with a key because the test has no server of its own.
import { createSwitchboard, decimal, SwitchboardError, verifyCallback } from '@switchboard/client';

/** `ok`, or what is wrong. */
export async function tryInPage(baseUrl: string, apiKey: string): Promise<string> {
  const sb = createSwitchboard({ baseUrl, apiKey, userId: 'page' });
  const agent = await sb.agents.create({ name: 'Page' });
  const call = await sb.calls.start({ agent_id: agent.id, phone_number: '+15005550005' });
  const { token } = await sb.calls.createStreamToken(call.call_id);
  const seen: string[] = [];
  for await (const { event, data } of createSwitchboard({ baseUrl }).calls.events(call.call_id, { token }))
    if (event === 'call') seen.push(String(data.call_status));
  if (seen.join() !== 'RINGING,ANSWERED,COMPLETED') return `events: ${seen}`;
  const lost = createSwitchboard({ baseUrl, apiKey, userId: 'page', retryDelayMs: 1, fetch: loseFirstAnswer() });
  const repeated = await lost.calls.start({ agent_id: agent.id, phone_number: '+15005550005' });
  if ((await sb.calls.list().toArray()).length !== 2) return `${repeated.call_id} is not the only second call`;
  const code = await sb.calls.get('none').catch((error) => (error instanceof SwitchboardError ? error.code : 'other'));
  if (code !== 'not_found') return `code: ${code}`;
  const { secret } = await sb.callbacks.secret();
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': '1', 'webhook-signature': 'v1,AAAA' };
  const forged = await verifyCallback({ body: '{}', headers, secret, now: 0 }).catch((error) => error.code);
  if (forged !== 'wrong_signature') return `forged: ${forged}`;
  return decimal.add('0.1', '0.2') === '0.3' ? 'ok' : 'decimals';
}

function loseFirstAnswer() {
  let isFirst = true;
  return async (request: Request) => {
    const response = await fetch(request);
    if (!isFirst) return response;
    isFirst = false;
    throw new TypeError('lost');
  };
}

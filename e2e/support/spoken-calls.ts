import assert from 'node:assert/strict';
import path from 'node:path';
import { createAgent, placeCall, reaches } from '@switchboard/testkit/calls.ts';
import { eventually } from '@switchboard/testkit/eventually.ts';
import { startService } from '@switchboard/testkit/service.ts';
import { withSpeakingPhones } from './speaking-phones.ts';
import { openWorkerLab } from './worker-lab.ts';

/** The variable with the key that the worker uses for its models. */
export const MODEL_KEY = 'key-of-the-worker';

/** A line of a transcript. */
export interface Line {
  speaker: 'AGENT' | 'USER';
  content: string;
}

/**
 * The worker, the service and a media server, for spoken calls. The only stand-in: the phone is a participant that
 * plays recorded speech, not a phone behind the SIP bridge. Agents may have models at `otherModels`, too.
 */
export async function openSpokenCalls(agentName: string, otherModels: string[] = []) {
  const { opened, voice, lab, database, media: real, startWorker } = await openWorkerLab(agentName);
  const { media, callers } = withSpeakingPhones(lab, real);
  const env = { PORT: String(lab.webhookPort), CALLING_COUNTRIES: 'US' };
  const service = await startService({ media, database, env });
  await startWorker({
    MODEL_BASE_URLS: [voice.url, ...otherModels].map((url) => `${url}=MODEL_KEY`).join(' '),
    MODEL_KEY,
    PRICES_FILE: path.join(import.meta.dirname, 'prices.json'),
  });

  let calls = 0;
  /** An answered call of an agent with this config in addition to its models. */
  async function answeredCall(config: object, variables: object = {}) {
    const agent_id = await createAgent(service, { config: { ...voice.config, tools: { hang_up: true }, ...config } });
    const phone_number = `+1415555${2000 + calls++}`;
    const { call_id } = await placeCall(service, phone_number, { agent_id, variables });
    await reaches(service, call_id, 'ANSWERED');
    const caller = callers.get(phone_number) ?? assert.fail();
    opened.push(caller.leave);
    const lines = (count: number): Promise<Line[]> =>
      eventually(
        async () => (await service.request('GET', `/api/sessions/${call_id}/transcripts`)).body.items,
        (items) => items.length >= count,
      );
    return { call_id, caller, lines };
  }
  return { voice, service, answeredCall };
}

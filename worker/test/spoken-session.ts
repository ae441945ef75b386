/** A session of the library that speaks, and whose model answers when the test says so. */
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type llm, voice } from '@livekit/agents';
import { readConfig } from '../conversation/config.ts';
import { createLanguageModel } from '../conversation/models.ts';
import { HearingAgent } from '../conversation/sounds.ts';
import { Loudspeaker } from './line.ts';
import { type completion, events, startStandIn } from './stand-in.ts';
import { SPEAKS, Voice } from './voice.ts';

export async function startSpoken(t: TestContext, tools: llm.ToolContextEntry[]) {
  const waiting: ServerResponse[] = [];
  const model = await startStandIn({ http: (_asked, response) => void waiting.push(response) });
  const base_url = `${model.origin}/v1`;
  const config = readConfig({ config: { llm: { base_url } }, variables: {} });
  const models = { keys: {}, baseUrls: new Map([[base_url, 'key']]) };
  const session = new voice.AgentSession({
    llm: createLanguageModel(config, models, () => {}),
    tts: new Voice(SPEAKS),
    vad: null,
    userAwayTimeout: null,
  });
  session.output.audio = new Loudspeaker();
  await session.start({ agent: new HearingAgent({ instructions: '', tools }, () => 0), record: false });
  t.after(async () => {
    await session.close();
    model.close();
  });
  /** Answers the next request to the model. */
  const answer = async (part: ReturnType<typeof completion>): Promise<void> => {
    while (waiting.length === 0) await sleep(10);
    for (const one of waiting.splice(0)) events(one, part, '[DONE]');
  };
  return { model, session, answer };
}

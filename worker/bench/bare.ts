/**
 * An agent of the bare library, registered and started as the worker's are, with the same models and the same patience
 * with a caller who pauses. `npm run bench -- turns capacity` compares the worker with it.
 */
import {
  AgentServer,
  AutoSubscribe,
  defineAgent,
  inference,
  initializeLogger,
  ServerOptions,
  voice,
} from '@livekit/agents';
import * as openai from '@livekit/agents-plugin-openai';

const { env } = process;
const access = { apiKey: 'key', baseURL: env.MODELS_URL ?? '' };
const [minDelay, maxDelay] = [Number(env.ENDPOINTING_MS), 1_200];

export default defineAgent({
  entry: async (ctx) => {
    await ctx.connect(undefined, AutoSubscribe.AUDIO_ONLY);
    const session = new voice.AgentSession({
      stt: new openai.STT({ ...access, useRealtime: false, model: 'model', language: 'en' }),
      llm: new openai.LLM({ ...access, model: 'model' }),
      tts: new openai.TTS({ ...access, model: 'model', voice: 'alloy' }),
      vad: new inference.VAD(),
      turnHandling: {
        turnDetection: 'vad',
        endpointing: { minDelay, maxDelay },
        interruption: { mode: 'vad', minDuration: 250 },
      },
      userAwayTimeout: null,
    });
    await session.start({ agent: new voice.Agent({ instructions: 'Be brief.' }), room: ctx.room, record: false });
  },
});

if (import.meta.main) {
  initializeLogger({ pretty: false, level: 'info' });
  const server = new AgentServer(
    new ServerOptions({
      agent: import.meta.filename,
      agentName: env.LIVEKIT_AGENT_NAME ?? '',
      wsURL: env.LIVEKIT_URL ?? '',
      apiKey: env.LIVEKIT_API_KEY ?? '',
      apiSecret: env.LIVEKIT_API_SECRET ?? '',
      host: '127.0.0.1',
      port: Number(env.PORT),
      production: true,
      numIdleProcesses: 1,
      // As the worker's: not that of the whole machine, on which the callers run too.
      loadThreshold: 1,
      loadFunc: async () => 0,
    }),
  );
  await server.run();
}

/** Models of Google's plugin, with what its version 1.8.1 lacks: the provider's name, and the address of the voice. */
import { GoogleGenAI } from '@google/genai';
import * as google from '@livekit/agents-plugin-google';

type TtsOptions = NonNullable<ConstructorParameters<typeof google.beta.TTS>[0]>;

export const httpAt = (baseUrl: string | undefined) => (baseUrl === undefined ? {} : { httpOptions: { baseUrl } });

export class GoogleTts extends google.beta.TTS {
  readonly #client: GoogleGenAI | undefined;

  constructor(options: TtsOptions & { apiKey: string }, baseUrl: string | undefined) {
    super(options);
    if (baseUrl !== undefined) this.#client = new GoogleGenAI({ apiKey: options.apiKey, ...httpAt(baseUrl) });
  }

  override get client(): GoogleGenAI {
    return this.#client ?? super.client;
  }

  override get provider(): string {
    return 'google';
  }

  override get model(): string {
    return this.opts.model;
  }
}

export class GoogleLive extends google.realtime.RealtimeModel {
  override get provider(): string {
    return 'google';
  }
}

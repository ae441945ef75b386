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

/** Parts of the plugin's session that its types hide. */
interface Hidden {
  activeSession: object | undefined;
  closeActiveSession(): Promise<void>;
  emitError(error: Error, recoverable: boolean): void;
}

/** Code of a connection that was closed without one. */
const NO_CODE = 1005;

export class GoogleLive extends google.realtime.RealtimeModel {
  override session(): ReturnType<google.realtime.RealtimeModel['session']> {
    const session = super.session();
    ignoreOwnEnds(session as unknown as Hidden);
    return session;
  }

  override get provider(): string {
    return 'google';
  }
}

/** The plugin connects anew to change instructions, and takes the end of its own connection for a failure. */
function ignoreOwnEnds(session: Hidden): void {
  let closedHere = 0;
  const [close, emit] = [session.closeActiveSession.bind(session), session.emitError.bind(session)];
  session.closeActiveSession = async () => {
    if (session.activeSession) closedHere++;
    await close();
  };
  session.emitError = (error, recoverable) => {
    const { statusCode } = error as { statusCode?: number };
    if (statusCode === NO_CODE && closedHere > 0) closedHere--;
    else emit(error, recoverable);
  };
}

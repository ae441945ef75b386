import { NotHeld } from '@switchboard/scenarios/agent';
import { AccessToken, RoomServiceClient, ServerError } from 'livekit-server-sdk';

/** The media server that the worker is registered at. */
export interface MediaServer {
  url: string;
  apiKey: string;
  apiSecret: string;
}

export type TestRoom = Awaited<ReturnType<typeof openRoom>>;

/** Beyond calls, which have names of the service: it leaves these alone. */
const PREFIX = 'test-';
/** Seconds until an empty room is closed: before anybody has come, and after the last one has left. */
const [EMPTY_S, LEFT_S] = [30, 1];
const REQUEST_S = 10;

/**
 * Opens a room that is no call. One of the same name, which a worker that died has left, is closed first. Throws
 * `NotHeld` if the media server does not do it.
 */
export async function openRoom(server: MediaServer, id: string) {
  const { url, apiKey, apiSecret } = server;
  const name = `${PREFIX}${id}`;
  const rooms = new RoomServiceClient(url.replace(/^ws/, 'http'), apiKey, apiSecret, { requestTimeout: REQUEST_S });
  const close = () =>
    rooms.deleteRoom(name).catch((error: unknown) => {
      if (!(error instanceof ServerError) || error.code !== 'not_found') throw error;
    });
  try {
    await close();
    await rooms.createRoom({ name, emptyTimeout: EMPTY_S, departureTimeout: LEFT_S });
  } catch (error) {
    throw new NotHeld(`There is no media server for a conversation by voice: ${url} ${messageOf(error)}`);
  }
  return {
    server,
    name,
    /** A token for one participant; `kind` as the media server names kinds. */
    token: (identity: string, kind: 'agent' | 'sip' | 'standard', attributes: Record<string, string> = {}) => {
      const token = new AccessToken(apiKey, apiSecret, { identity, attributes });
      if (kind !== 'standard') token.kind = kind;
      token.addGrant({ roomJoin: true, room: name, canUpdateOwnMetadata: true });
      return token.toJwt();
    },
    /** Ends the connections of all; what does not succeed the media server does by itself. */
    close: () => close().catch(() => {}),
  };
}

export function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}

import { once } from 'node:events';
import type { Lab } from '@switchboard/testkit/lab.ts';
import { AccessToken } from 'livekit-server-sdk';

/**
 * A participant that is present but sends no media: only the signaling connection. The media server counts it
 * as a participant for a minute, and it costs this process next to nothing.
 */
export async function joinSilently(
  lab: Lab,
  room_name: string,
  identity: string,
  kind: 'sip' | 'agent',
  attributes: Record<string, string> = {},
): Promise<WebSocket> {
  const token = new AccessToken(lab.apiKey, lab.apiSecret, { identity, attributes });
  token.kind = kind;
  token.addGrant({ roomJoin: true, room: room_name, ...(kind === 'agent' && { agent: true }) });
  const query = new URLSearchParams({ access_token: await token.toJwt(), protocol: '15', auto_subscribe: '0' });
  const socket = new WebSocket(`${lab.url}/rtc?${query}`);
  await once(socket, 'message');
  return socket;
}

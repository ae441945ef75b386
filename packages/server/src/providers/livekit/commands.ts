import { createHmac } from 'node:crypto';
import { PerformRpcRequest } from '@livekit/protocol';
import { type RoomServiceClient, ServerError } from 'livekit-server-sdk';
import type { Participant } from '../rooms.ts';
import type { Workers } from '../workers.ts';
import { ask, isUnanswered } from './errors.ts';

/** The method that workers register in their rooms (worker/README.md). */
const METHOD = 'switchboard.command';
/** Time for a worker to accept a command, in which it does nothing else. */
const ACCEPT_MS = 4000;
/** RPC errors of the participant, which the server tells by their texts (livekit-server 1.13). */
const UNSUPPORTED = /RpcError 1400/;
const GONE = /RpcError (1404|1503)/;
/** Refusals of a worker. */
const TAKEN = /RpcError 4001/;
const BUSY = /RpcError 4002/;

interface Deps {
  /** `wss://` or `ws://`. */
  url: string;
  rooms: RoomServiceClient;
  agentName: string;
  /** Signs commands: participants of a room can call methods of the worker, too. */
  apiSecret: string;
  requestTimeoutS: number;
  listParticipants(room_name: string): Promise<Participant[]>;
}

/** Commands to the agents in rooms, as remote calls of their participants. */
export function createCommands({ url, rooms, agentName, apiSecret, requestTimeoutS, listParticipants }: Deps): {
  command: Workers['command'];
} {
  const address = new URL('/twirp/livekit.RoomService/PerformRpc', url.replace(/^ws/, 'http'));

  /** The SDK (2.19) has no method for this request. Throws `ServerError`, as its methods do. */
  async function perform(room: string, destinationIdentity: string, payload: string): Promise<void> {
    const call = { room, destinationIdentity, method: METHOD, payload, responseTimeoutMs: ACCEPT_MS };
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...(await rooms.authHeader({ roomAdmin: true, room })), 'content-type': 'application/json' },
      body: new PerformRpcRequest(call).toJsonString(),
      signal: AbortSignal.timeout(requestTimeoutS * 1000),
    });
    if (response.ok) return;
    const { msg = '', code } = (await response.json().catch(() => ({}))) as { msg?: string; code?: string };
    throw new ServerError('PerformRpc', msg, response.status, code);
  }

  function signed(room: string, command: string): string {
    const signature = createHmac('sha256', apiSecret).update(`${room}\n${command}`).digest('base64url');
    return JSON.stringify({ command, signature });
  }

  return {
    command: async (room_name, command) => {
      const participants = await listParticipants(room_name);
      const agent = participants.find(({ kind, agent_name }) => kind === 'AGENT' && agent_name === agentName);
      if (!agent) return 'absent';
      const refused = perform(room_name, agent.identity, signed(room_name, JSON.stringify(command))).then(
        () => null,
        (error: unknown) => {
          const message = error instanceof ServerError ? error.message : '';
          if (UNSUPPORTED.test(message)) return 'unsupported' as const;
          if (GONE.test(message)) return 'absent' as const;
          if (TAKEN.test(message)) return 'taken' as const;
          if (BUSY.test(message)) return 'busy' as const;
          throw error;
        },
      );
      try {
        return (await ask('performRpc', refused, () => 'absent' as const)) ?? 'accepted';
      } catch (error) {
        // No server has this participant anymore.
        if (isUnanswered(error)) return 'absent';
        throw error;
      }
    },
  };
}

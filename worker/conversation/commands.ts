import type { voice } from '@livekit/agents';
import { type LocalParticipant, type Room, RpcError, type RpcInvocationData } from '@livekit/rtc-node';
import { say } from './say.ts';
import { press } from './tools.ts';

/** The method of Switchboard's remote calls. */
const METHOD = 'switchboard.command';

type Command =
  | { type: 'say'; text: string; interrupt: boolean }
  | { type: 'instruct'; text: string; reply: boolean }
  | { type: 'press'; digits: string };

interface Deps {
  session: Pick<voice.AgentSession, 'say' | 'interrupt' | 'generateReply' | 'tts' | 'llm'>;
  agent: Pick<voice.Agent, 'instructions' | 'updateInstructions'>;
  room: Pick<Room, 'remoteParticipants'> & {
    localParticipant?: Pick<LocalParticipant, 'registerRpcMethod' | 'publishDtmf'> | undefined;
  };
  log: Record<'warn' | 'error', (about: object, text: string) => void>;
}

/** Does what people ask for in a call that they supervise. Call it once the room is joined. */
export function obeyCommands({ session, agent, room, log }: Deps): void {
  async function obey(command: Command): Promise<void> {
    switch (command.type) {
      case 'say':
        if (command.interrupt) session.interrupt();
        say(session as voice.AgentSession, command.text);
        return;
      case 'instruct':
        await agent.updateInstructions(`${agent.instructions}\n\n${command.text}`);
        if (command.reply) session.generateReply({ instructions: command.text });
        return;
      case 'press':
        // Not awaited: many keys take longer than the request may.
        press(room, command.digits).catch((error: unknown) => log.error({ error }, 'keys could not be pressed'));
        return;
      default:
        // A command of a later release.
        throw RpcError.builtIn('UNSUPPORTED_METHOD');
    }
  }

  room.localParticipant?.registerRpcMethod(METHOD, async ({ callerIdentity, payload }: RpcInvocationData) => {
    // Switchboard calls through the media server, from outside of the room. A browser in it could call, too.
    if (room.remoteParticipants.has(callerIdentity)) {
      log.warn({ callerIdentity }, 'a participant has sent a command, which is ignored');
      throw new Error('not permitted');
    }
    await obey(JSON.parse(payload) as Command);
    return '';
  });
}

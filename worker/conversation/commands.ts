import { createHmac, timingSafeEqual } from 'node:crypto';
import type { voice } from '@livekit/agents';
import { type LocalParticipant, type Room, RpcError, type RpcInvocationData } from '@livekit/rtc-node';
import { say } from './say.ts';
import type { Takeover } from './takeover.ts';
import { press } from './tools.ts';

/** The method of Switchboard's remote calls. */
const METHOD = 'switchboard.command';
/** Codes of refusals, which Switchboard knows. */
const [TAKEN, BUSY] = [4001, 4002];

type Command =
  | { type: 'say'; text: string; interrupt: boolean }
  | { type: 'instruct'; text: string; reply: boolean }
  | { type: 'press'; digits: string }
  | { type: 'take_over' }
  | { type: 'finish'; text: string };

interface Deps {
  session: Pick<voice.AgentSession, 'say' | 'interrupt' | 'generateReply' | 'tts' | 'llm'>;
  agent: Pick<voice.Agent, 'instructions' | 'updateInstructions'>;
  room: Pick<Room, 'name'> & {
    localParticipant?: Pick<LocalParticipant, 'registerRpcMethod' | 'publishDtmf'> | undefined;
  };
  log: Record<'warn' | 'error', (about: object, text: string) => void>;
  takeover: Pick<Takeover, 'isOn' | 'isAway' | 'take'>;
  /** Says last words, and hangs up. */
  finish: (text: string) => void;
  /** The secret of the media server's API, with which Switchboard signs. */
  secret: string;
}

/** Does what people who supervise a call, and the service, ask for. Call it once the room is joined. */
export function obeyCommands({ session, agent, room, log, takeover, finish, secret }: Deps): void {
  let pressing = Promise.resolve();

  async function obey(command: Command): Promise<void> {
    switch (command.type) {
      case 'say':
        if (command.interrupt) interrupt();
        return void say(session as voice.AgentSession, command.text);
      case 'instruct':
        await agent.updateInstructions(`${agent.instructions}\n\n${command.text}`);
        if (command.reply) session.generateReply({ instructions: command.text });
        return;
      case 'press':
        // Not awaited: many keys take longer than the request may.
        pressing = pressing
          .then(() => press(room, command.digits))
          .catch((error: unknown) => log.error({ error }, 'keys could not be pressed'));
        return;
      case 'take_over':
        return takeOver();
      case 'finish':
        return finish(command.text);
      default:
        // A command of a later release.
        throw RpcError.builtIn('UNSUPPORTED_METHOD');
    }
  }

  /**
   * While a colleague talks in place of the agent, the agent must not talk as well; and the target of a transfer must
   * not hear what is meant for the caller.
   */
  function assertSpeaks(command: Command): void {
    const isToSpeak = command.type === 'say' || (command.type === 'instruct' && command.reply);
    if (isToSpeak && takeover.isOn()) throw new RpcError(TAKEN, 'a colleague has taken over');
    if (isToSpeak && takeover.isAway()) throw new RpcError(BUSY, 'the agent consults the target of a transfer');
  }

  function takeOver(): void {
    const refusal = takeover.take();
    if (refusal) throw new RpcError(refusal === 'taken' ? TAKEN : BUSY, refusal);
  }

  /** Speech that must not be interrupted, such as the question for consent, is said to its end first. */
  function interrupt(): void {
    try {
      session.interrupt();
    } catch (error) {
      log.warn({ error }, 'not interrupted');
    }
  }

  room.localParticipant?.registerRpcMethod(METHOD, async ({ callerIdentity, payload }: RpcInvocationData) => {
    const { command, signature } = JSON.parse(payload) as { command: string; signature: string };
    // Everybody in the room can call, and nobody but Switchboard can sign.
    if (!isSigned(secret, `${room.name}\n${command}`, signature)) {
      log.warn({ callerIdentity }, 'a command without a valid signature is ignored');
      throw new Error('not permitted');
    }
    const wanted = JSON.parse(command) as Command;
    assertSpeaks(wanted);
    await obey(wanted);
    return '';
  });
}

function isSigned(secret: string, text: string, signature: unknown): boolean {
  const expected = createHmac('sha256', secret).update(text).digest();
  const given = Buffer.from(String(signature), 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

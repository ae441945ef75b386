import { AppError } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { Media } from '../../providers/media.ts';
import { type Browsers, COLLEAGUE_PREFIX } from '../../providers/rooms.ts';
import type { AgentCommand, Workers } from '../../providers/workers.ts';
import type { Calls } from '../calls/calls.ts';

export type Steering = ReturnType<typeof createSteering>;

/** Seconds to connect with a token: shorter than the worker waits for the colleague. */
const TAKE_OVER_TTL_S = 20;

interface Deps extends Pick<Platform, 'db' | 'clock' | 'audit'> {
  calls: Calls;
  workers: Workers;
  browsers: Browsers;
  media: Pick<Media, 'simulated'>;
}

/** Commands of people to the agents of their calls. */
export function createSteering({ db, clock, audit, calls, workers, browsers, media }: Deps) {
  /**
   * Resolves once the worker of the call has accepted the command. Throws `session_not_active` unless the call is
   * answered, `agent_absent`, `command_unsupported`, `agent_taken_over` and `agent_busy`. The audit log tells who did
   * it, not what was said: that is in the transcript, and is erased with it.
   */
  async function send(id: string, command: AgentCommand, caller: string | null, actor: Actor) {
    const { id: call_id, call_status, room_name, user_id } = await calls.get(id, caller);
    if (call_status !== 'ANSWERED') throw new AppError('session_not_active');
    const outcome = await workers.command(room_name, command);
    if (outcome === 'absent') throw new AppError('agent_absent');
    if (outcome === 'unsupported') throw new AppError('command_unsupported');
    if (outcome === 'taken') throw new AppError('agent_taken_over');
    if (outcome === 'busy') throw new AppError('agent_busy');
    await audit.record(db, actor, 'call.steered', `session/${call_id}`, { user_id, detail: command.type });
    return { call_id, room_name };
  }

  async function command(...of: Parameters<typeof send>) {
    const { call_id } = await send(...of);
    return { call_id };
  }

  /**
   * Silences the agent, and then returns a token with which a person talks in its place. Its worker gives it the call
   * back if nobody comes. Throws as a command does.
   */
  async function takeOver(id: string, caller: string | null, actor: Actor) {
    const { room_name } = await send(id, { type: 'take_over' }, caller, actor);
    const expires_at = new Date(clock.now().getTime() + TAKE_OVER_TTL_S * 1000);
    const access = await browsers.createSpeakerToken(room_name, `${COLLEAGUE_PREFIX}${newId()}`, TAKE_OVER_TTL_S);
    return { ...access, room_name, expires_at, is_simulated: media.simulated };
  }

  return { command, takeOver };
}

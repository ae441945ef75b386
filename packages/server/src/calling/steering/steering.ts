import { AppError } from '../../lib/errors.ts';
import type { Actor } from '../../lib/principal.ts';
import type { Platform } from '../../platform.ts';
import type { AgentCommand, Workers } from '../../providers/workers.ts';
import type { Calls } from '../calls/calls.ts';

export type Steering = ReturnType<typeof createSteering>;

interface Deps extends Pick<Platform, 'db' | 'audit'> {
  calls: Calls;
  workers: Workers;
}

/** Commands of people to the agents of their calls. */
export function createSteering({ db, audit, calls, workers }: Deps) {
  /**
   * Resolves once the worker of the call has accepted the command. Throws `session_not_active` unless the call is
   * answered, `agent_absent` and `command_unsupported`. The audit log tells who did it, not what was said: that is in
   * the transcript, and is erased with it.
   */
  async function command(id: string, command: AgentCommand, caller: string | null, actor: Actor) {
    const { id: call_id, call_status, room_name, user_id } = await calls.get(id, caller);
    if (call_status !== 'ANSWERED') throw new AppError('session_not_active');
    const outcome = await workers.command(room_name, command);
    if (outcome === 'absent') throw new AppError('agent_absent');
    if (outcome === 'unsupported') throw new AppError('command_unsupported');
    await audit.record(db, actor, 'call.steered', `session/${call_id}`, { user_id, detail: command.type });
    return { call_id };
  }

  return { command };
}

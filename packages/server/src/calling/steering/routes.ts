import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { CommandAccepted, InstructRequest, PressRequest, SayRequest } from './schema.ts';
import type { Steering } from './steering.ts';

const common = {
  tags: ['calls'],
  audit: { changes: 'call.steered' as const },
  params: Type.Object({ call_id: Id }),
  headers: UserHeader,
  response: responses({ 200: CommandAccepted }, 404, 409, 413, 415, 422),
};
const options = { config: { access: 'supervise' as const }, bodyLimit: SMALL_BODY };
const WHEN = '409 unless the call is answered and its agent is there.';

export function steeringRoutes(app: Server, { command }: Steering): void {
  app.post(
    '/api/calls/:call_id/say',
    {
      ...options,
      schema: {
        ...common,
        operationId: 'sayInCall',
        summary: 'Have the agent say a text',
        description: `In its own voice; the text is in the transcript. ${WHEN}`,
        body: SayRequest,
      },
    },
    async (request) => {
      const { text, interrupt = false } = request.body;
      return command(request.params.call_id, { type: 'say', text, interrupt }, request.caller, actorOf(request));
    },
  );
  app.post(
    '/api/calls/:call_id/instructions',
    {
      ...options,
      schema: {
        ...common,
        operationId: 'instructAgent',
        summary: 'Give the agent of a call an instruction',
        description: `The caller does not hear it, and it is not in the transcript. ${WHEN}`,
        body: InstructRequest,
      },
    },
    async (request) => {
      const { text, reply = false } = request.body;
      return command(request.params.call_id, { type: 'instruct', text, reply }, request.caller, actorOf(request));
    },
  );
  app.post(
    '/api/calls/:call_id/dtmf',
    {
      ...options,
      schema: {
        ...common,
        operationId: 'pressKeys',
        summary: 'Press keys of the telephone in a call',
        description: `As for the menu of another company; the keys are stored nowhere. ${WHEN}`,
        body: PressRequest,
      },
    },
    async (request) => {
      const { digits } = request.body;
      return command(request.params.call_id, { type: 'press', digits }, request.caller, actorOf(request));
    },
  );
}

import { Type } from 'typebox';
import { actorOf } from '../../http/caller.ts';
import { SMALL_BODY } from '../../http/json-body.ts';
import { responses } from '../../http/responses.ts';
import type { Server } from '../../http/server.ts';
import { Id, UserHeader } from '../../http/wire.ts';
import { CallTakenOver, CommandAccepted, InstructRequest, PressRequest, SayRequest } from './schema.ts';
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
const BUSY = 'while somebody has taken over, and while the agent consults the target of an attended transfer.';

export function steeringRoutes(app: Server, steering: Steering): void {
  speakingRoutes(app, steering);
  app.post(
    '/api/calls/:call_id/take-over',
    {
      config: options.config,
      schema: {
        ...common,
        operationId: 'takeOverCall',
        summary: 'Talk to the caller in place of the agent',
        description: `The agent stops at once what it says, and neither answers nor acts. Then a token is returned that joins the room of the call with a microphone: everybody hears its bearer, and sees them. It must be used within 20 seconds. The agent has the call again once that participant has left, or if it does not come. In the sandbox nobody speaks: \`is_simulated\` is true, and there is nothing to connect to. ${WHEN} Also while somebody else has taken over, and while the agent must not be interrupted, as in the consultation of an attended transfer.`,
        response: responses({ 201: CallTakenOver }, 404, 409, 413, 415, 422),
      },
    },
    async (request, reply) => {
      const taken = await steering.takeOver(request.params.call_id, request.caller, actorOf(request));
      reply.status(201);
      return taken;
    },
  );
}

function speakingRoutes(app: Server, { command }: Steering): void {
  app.post(
    '/api/calls/:call_id/say',
    {
      ...options,
      schema: {
        ...common,
        operationId: 'sayInCall',
        summary: 'Have the agent say a text',
        description: `In its own voice; the text is in the transcript. ${WHEN} Also ${BUSY}`,
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
        description: `The caller does not hear it, and it is not in the transcript. ${WHEN} With \`reply\`, also ${BUSY}`,
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

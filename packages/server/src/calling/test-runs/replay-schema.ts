import { Type } from 'typebox';
import { FreeObject, Id, nullable } from '../../http/wire.ts';

const Turn = Type.Integer({ minimum: 0 });

const Fork = Type.Object(
  {
    recorded: nullable({ ...Turn, description: 'Which of `turns`; null if the call has no such turn.' }),
    replayed: nullable({ ...Turn, description: 'Which turn of the first conversation; null if it ended before.' }),
  },
  { title: 'ReplayFork', description: 'The first turn at which the conversations differ.' },
);

export const Replay = Type.Object(
  {
    call_id: Id,
    agent_version: nullable(Type.Integer({ minimum: 1, description: 'The version that the call had.' })),
    turns: Type.Array(
      Type.Object(
        {
          heard: nullable(Type.String({ description: 'What the caller said; null when the agent began.' })),
          words: Type.String({ description: 'What the agent said.' }),
          calls: nullable(
            Type.Array(Type.Object({ name: Type.String(), arguments: FreeObject }, { title: 'RecordedCall' }), {
              description: 'The tools that it called; null if that was not recorded.',
            }),
          ),
        },
        { title: 'RecordedTurn' },
      ),
      { description: 'The call as it was.' },
    ),
    words_fork: nullable({ ...Fork, description: 'The first turn with other words; null without any.' }),
    calls_fork: nullable({
      ...Fork,
      description: 'The first turn in which other tools are called, or with other arguments; null without any.',
    }),
  },
  { title: 'Replay', description: 'The call that was replayed, and where the conversations differ.' },
);

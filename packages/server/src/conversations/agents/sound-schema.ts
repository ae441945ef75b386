import { Type } from 'typebox';
import type { Problem } from '../../lib/invalid.ts';
import { isObject, type JsonObject } from '../../lib/json.ts';
import { section } from './model-schema.ts';

/** The sound that each use has in every worker. */
const BUILT_IN = { background: 'office', thinking: 'keyboard', hold: 'music' } as const;
type Use = keyof typeof BUILT_IN;
/** A file in the folder of sounds of the worker, which is the operator's. */
const FILE = 'file:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\\.(?:ogg|opus|mp3|flac|wav)';

const patternOf = (use: Use) => `^(?:${BUILT_IN[use]}|${FILE})$`;

function sound(use: Use, description: string) {
  const examples = [BUILT_IN[use], `file:${use}.ogg`];
  return Type.Optional(Type.String({ pattern: patternOf(use), description, examples }));
}

const VOLUME = Type.Optional(
  Type.Number({
    minimum: 0.1,
    maximum: 4,
    default: 1,
    description: 'How loud it is: 1 is as in the file; sounds that come with the worker are then right for a call.',
  }),
);

/** Sounds beside the agent's words. */
export const Sounds = section(
  {
    background: sound(
      'background',
      'Heard as long as the agent is in the call, again and again: `office`, or `file:` and the name of a file in the folder `SOUNDS_DIR` of the worker.',
    ),
    background_volume: VOLUME,
    thinking: sound('thinking', 'Heard while the model answers or a tool runs: `keyboard`, or a file.'),
    thinking_volume: VOLUME,
    hold: sound('hold', 'Heard by a caller on hold: `music`, or a file. By default soft chords.'),
    hold_volume: VOLUME,
  },
  'Sounds beside the agent’s words (docs/sounds.md). They are not in recordings.',
);

/** Names that are neither those of sounds nor of files: a call would be silent instead. */
export function problemsOfSounds({ sounds }: JsonObject, place: string): Problem[] {
  if (!isObject(sounds)) return [];
  return (Object.keys(BUILT_IN) as Use[]).flatMap((use) => {
    const name = sounds[use];
    if (typeof name !== 'string' || new RegExp(patternOf(use)).test(name)) return [];
    const msg = `Input should be ${BUILT_IN[use]}, or file: and the name of a file with the ending ogg, opus, mp3, flac or wav`;
    return [{ loc: [place, 'sounds', use], msg, type: 'value_error', input: name }];
  });
}

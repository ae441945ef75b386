import { percentText } from '../../../data/call-figures.ts';
import { withValue } from '../../../data/config-paths.ts';
import { SOUNDS } from '../../../data/value-labels.ts';
import { Field } from '../../../ui/field.tsx';
import { useField, useForm } from './form.ts';
import { Slider } from './slider.tsx';
import { loudnessMeaning } from './turn-meanings.ts';

/** Sounds beside the agent's words. */
export function SoundsSection() {
  return (
    <>
      <SoundFields use="background" unset="None" hint="Behind the agent’s words, from its first to its last." />
      <hr />
      <SoundFields use="thinking" unset="None" hint="While the model answers or a tool runs." />
      <hr />
      <SoundFields use="hold" unset="Soft chords" hint="For a caller who waits while the agent asks a colleague." />
    </>
  );
}

const BUILT_IN = { background: 'office', thinking: 'keyboard', hold: 'music' } as const;
const FILE = 'file:';

interface Props {
  use: keyof typeof BUILT_IN;
  unset: string;
  hint: string;
}

function SoundFields({ use, unset, hint }: Props) {
  const { config } = useForm();
  const sounds = useField(['sounds']);
  const { label, value, problem, change } = useField(['sounds', use]);
  const chosen = typeof value !== 'string' ? '' : value.startsWith(FILE) ? FILE : value;
  const known: string[] = ['', BUILT_IN[use], FILE];
  function choose(sound: string): void {
    // A sound that is removed takes its loudness with it.
    const others = withValue(withValue(config, ['sounds', use], undefined), ['sounds', `${use}_volume`], undefined);
    if (sound === '') sounds.change(others.sounds);
    else change(sound);
  }
  return (
    <fieldset className="form plain-fieldset" aria-label={label}>
      <Field label={label} hint={hint} error={chosen === FILE ? null : problem}>
        <select value={chosen} onChange={({ target }) => choose(target.value)}>
          <option value="">{unset}</option>
          <option value={BUILT_IN[use]}>{SOUNDS[BUILT_IN[use]]}</option>
          <option value={FILE}>A file of the worker</option>
          {!known.includes(chosen) && <option value={chosen}>{chosen}</option>}
        </select>
      </Field>
      {chosen === FILE && <FileField use={use} />}
      {chosen !== '' && (
        <Slider
          path={['sounds', `${use}_volume`]}
          range={[0.1, 4, 0.1]}
          usual={1}
          format={percentText}
          meaning={loudnessMeaning}
        />
      )}
    </fieldset>
  );
}

/** The name of a file of the operator. */
function FileField({ use }: Pick<Props, 'use'>) {
  const { value, problem, change } = useField(['sounds', use]);
  return (
    <Field label="File" hint="In the folder SOUNDS_DIR of the worker: ogg, opus, mp3, flac or wav." error={problem}>
      <input
        type="text"
        value={String(value).slice(FILE.length)}
        placeholder={`${use}.ogg`}
        spellCheck={false}
        autoComplete="off"
        onChange={({ target }) => change(FILE + target.value)}
      />
    </Field>
  );
}

import { CONSENT_MESSAGES } from '@switchboard/client/consent';
import { CHANNELS, CONSENTS, REFUSALS } from '../../../data/value-labels.ts';
import { Choices } from './choices.tsx';
import { SwitchRow } from './fields.tsx';
import { useField } from './form.ts';
import { Radios } from './radios.tsx';
import { VariableText } from './variable-text.tsx';

/** The recording of calls, and the consent to it. */
export function RecordingSection() {
  const recording = useField(['recording']);
  const enabled = useField(['recording', 'enabled']);
  const isOn = enabled.value === true;
  return (
    <>
      <SwitchRow
        label="Record calls"
        hint="Heard again on the page of the call. Simulated calls have no sound to record."
        error={recording.problem ?? enabled.problem}
        isOn={isOn}
        onChange={(on) => (on ? enabled.change(true) : recording.change(undefined))}
      />
      {isOn && <ConsentFields />}
    </>
  );
}

const BEFORE = {
  none: 'For lines where another announcement is made, or none is required.',
  stay_on_line: 'Whoever does not agree hangs up.',
  verbal: 'Understood in English, Spanish, German and French. Not with a speech-to-speech model.',
  dtmf: 'Any other key refuses, and so does silence.',
};

const WITHOUT = {
  continue_unrecorded: 'Nothing of it is kept.',
  end: 'The agent says why before it hangs up.',
};

const SIDES = {
  stereo: 'The agent left, the other side right.',
  mono: 'Both together, in a smaller file.',
};

function ConsentFields() {
  const { value: type } = useField(['recording', 'consent', 'type']);
  const message = Object.entries(CONSENT_MESSAGES).find(([name]) => name === type)?.[1];
  return (
    <div className="form indented">
      <Radios path={['recording', 'consent', 'type']} names={CONSENTS} meanings={BEFORE} usual="none" />
      {message && (
        <>
          <VariableText path={['recording', 'consent', 'message']} placeholder={message} />
          {type !== 'stay_on_line' && (
            <Radios
              path={['recording', 'consent', 'on_refusal']}
              names={REFUSALS}
              meanings={WITHOUT}
              usual="continue_unrecorded"
            />
          )}
        </>
      )}
      <Radios path={['recording', 'channels']} names={CHANNELS} meanings={SIDES} usual="stereo" />
      <Pauses />
    </div>
  );
}

/** The tools that the recording leaves out; sensitive entries are never in it. */
function Pauses() {
  const { value: functions } = useField(['tools', 'functions']);
  const { value: entries } = useField(['tools', 'collect_digits']);
  const tools = [
    ...named(functions).map(({ name, description }) => [name, description]),
    ...named(entries).flatMap(({ name, description, sensitive }) =>
      sensitive === true ? [] : [[`collect_${name}`, description]],
    ),
  ];
  if (tools.length === 0) return null;
  const names = Object.fromEntries(tools.map(([name]) => [name, name]));
  return <Choices path={['recording', 'pause_on']} names={names} meanings={Object.fromEntries(tools)} unset="none" />;
}

function named(list: unknown): { name: string; description: string; sensitive?: unknown }[] {
  return (Array.isArray(list) ? list : []).flatMap((one) =>
    typeof one?.name === 'string' && one.name !== ''
      ? [{ name: one.name, description: String(one.description ?? ''), sensitive: one.sensitive }]
      : [],
  );
}

import { CONSENT_MESSAGES } from '@switchboard/client/consent';
import { CHANNELS, CONSENTS, REFUSALS } from '../../../data/value-labels.ts';
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
    </div>
  );
}

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

const CONSENT = [
  ['none', 'Nothing', 'For lines where another announcement is made, or none is required.'],
  ['stay_on_line', 'The message is said', 'Whoever does not agree hangs up.'],
  ['verbal', 'They say yes', 'Understood in English, Spanish, German and French. Not with a speech-to-speech model.'],
  ['dtmf', 'They press 1', 'Any other key refuses, and so does silence.'],
] as const;

const REFUSALS = [
  ['continue_unrecorded', 'The call goes on without a recording', 'Nothing of it is kept.'],
  ['end', 'The call ends', 'The agent says why before it hangs up.'],
] as const;

const CHANNELS = [
  ['stereo', 'Stereo', 'The agent left, the other side right.'],
  ['mono', 'Mono', 'Both together, in a smaller file.'],
] as const;

/** What the worker says by default. */
const MESSAGES: Record<string, string> = {
  stay_on_line: 'This call is recorded. If you do not agree, please hang up.',
  verbal: 'May this call be recorded? Please say yes or no.',
  dtmf: 'This call can be recorded. Please press 1 if you agree, or 2 if you do not.',
};

function ConsentFields() {
  const { value: type } = useField(['recording', 'consent', 'type']);
  const message = MESSAGES[String(type)];
  return (
    <div className="form indented">
      <Radios path={['recording', 'consent', 'type']} choices={CONSENT} usual="none" />
      {message && (
        <>
          <VariableText path={['recording', 'consent', 'message']} placeholder={message} />
          {type !== 'stay_on_line' && (
            <Radios path={['recording', 'consent', 'on_refusal']} choices={REFUSALS} usual="continue_unrecorded" />
          )}
        </>
      )}
      <Radios path={['recording', 'channels']} choices={CHANNELS} usual="stereo" />
    </div>
  );
}

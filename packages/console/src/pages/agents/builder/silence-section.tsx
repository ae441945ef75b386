import { secondsOf } from '../../../data/durations.ts';
import { VOICEMAIL_ACTIONS } from '../../../data/value-labels.ts';
import { SwitchField, SwitchRow } from './fields.tsx';
import { useField } from './form.ts';
import { Radios } from './radios.tsx';
import { Slider } from './slider.tsx';
import { pickUpMeaning, promptsMeaning, silenceMeaning } from './turn-meanings.ts';
import { VariableText } from './variable-text.tsx';

const USUAL_SILENCE_S = 10;
const USUAL_SCREENING_S = 30;

/** Reactions to a caller who says nothing, and to machines that answer. */
export function SilenceSection() {
  const silence = useField(['silence']);
  const voicemail = useField(['voicemail']);
  const screening = useField(['screening']);
  return (
    <>
      <SwitchRow
        label="Ask when the caller says nothing"
        hint="Otherwise the agent waits until the caller speaks or hangs up."
        error={silence.problem}
        isOn={silence.value !== undefined}
        onChange={(isOn) => silence.change(isOn ? { timeout_s: USUAL_SILENCE_S } : undefined)}
      />
      {silence.value !== undefined && <SilenceFields />}
      <hr />
      <SwitchRow
        label="Notice answering machines"
        hint="On outbound calls, which then report who or what answered."
        error={voicemail.problem}
        isOn={voicemail.value !== undefined}
        onChange={(isOn) => voicemail.change(isOn ? { action: 'hang_up' } : undefined)}
      />
      {voicemail.value !== undefined && <VoicemailFields />}
      <hr />
      <SwitchRow
        label="Answer call screening"
        hint="For phones whose assistant asks who is calling. Otherwise the agent talks to it as to anybody."
        error={screening.problem}
        isOn={screening.value !== undefined}
        onChange={(isOn) => screening.change(isOn ? {} : undefined)}
      />
      {screening.value !== undefined && <ScreeningFields />}
    </>
  );
}

function SilenceFields() {
  return (
    <div className="form indented">
      <Slider
        path={['silence', 'timeout_s']}
        range={[2, 60, 1]}
        usual={USUAL_SILENCE_S}
        format={secondsOf}
        meaning={silenceMeaning}
      />
      <VariableText path={['silence', 'message']} placeholder="Are you still there?" />
      <Slider path={['silence', 'max_prompts']} range={[0, 5, 1]} usual={2} format={String} meaning={promptsMeaning} />
    </div>
  );
}

const ACTIONS = {
  hang_up: 'Call again later; the campaign or your system decides when.',
  leave_message: 'Says the message after the greeting, and hangs up.',
  continue: 'For lines whose greeting sounds like a machine.',
};

function VoicemailFields() {
  const { value } = useField(['voicemail', 'action']);
  return (
    <div className="form indented">
      <Radios path={['voicemail', 'action']} names={VOICEMAIL_ACTIONS} meanings={ACTIONS} usual="hang_up" />
      {value === 'leave_message' && (
        <>
          <VariableText path={['voicemail', 'message']} placeholder="Hello {{first_name}}, please call us back." />
          <SwitchField
            path={['voicemail', 'wait_for_beep']}
            hint="A greeting without one is followed by the message after four seconds of silence."
          />
        </>
      )}
    </div>
  );
}

function ScreeningFields() {
  return (
    <div className="form indented">
      <VariableText path={['screening', 'identity']} placeholder="This is Anna from the practice." />
      <VariableText path={['screening', 'purpose']} placeholder="I am calling about your appointment tomorrow." />
      <Slider
        path={['screening', 'timeout_s']}
        range={[10, 60, 5]}
        usual={USUAL_SCREENING_S}
        format={secondsOf}
        meaning={pickUpMeaning}
      />
    </div>
  );
}

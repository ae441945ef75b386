import { secondsOf } from '../../../data/durations.ts';
import { VOICEMAIL_ACTIONS } from '../../../data/value-labels.ts';
import { SwitchRow } from './fields.tsx';
import { useField } from './form.ts';
import { Radios } from './radios.tsx';
import { Slider } from './slider.tsx';
import { promptsMeaning, silenceMeaning } from './turn-meanings.ts';
import { VariableText } from './variable-text.tsx';

const USUAL_SILENCE_S = 10;

/** Reactions to a caller who says nothing, and to an answering machine. */
export function SilenceSection() {
  const silence = useField(['silence']);
  const voicemail = useField(['voicemail']);
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
        hint="On outbound calls. The call then reports “voicemail” as who answered."
        error={voicemail.problem}
        isOn={voicemail.value !== undefined}
        onChange={(isOn) => voicemail.change(isOn ? { action: 'hang_up' } : undefined)}
      />
      {voicemail.value !== undefined && <VoicemailFields />}
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
  leave_message: 'Waits for the tone, says the message, and hangs up.',
  continue: 'For lines whose greeting sounds like a machine.',
};

function VoicemailFields() {
  const { value } = useField(['voicemail', 'action']);
  return (
    <div className="form indented">
      <Radios path={['voicemail', 'action']} names={VOICEMAIL_ACTIONS} meanings={ACTIONS} usual="hang_up" />
      {value === 'leave_message' && (
        <VariableText path={['voicemail', 'message']} placeholder="Hello {{first_name}}, please call us back." />
      )}
    </div>
  );
}

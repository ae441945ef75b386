import { OPT_OUT_MESSAGE } from '@switchboard/client/consent';
import { OPT_OUT_SCOPES } from '../../../data/value-labels.ts';
import { SwitchRow, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { Radios } from './radios.tsx';
import { VariableText } from './variable-text.tsx';

const SCOPES = {
  user: 'None of your agents calls the number again.',
  agent: 'Your other agents may.',
  purpose: 'Calls for another purpose may be placed.',
};

/** Whom the agent may call, what it says first, and how people refuse further calls. */
export function ComplianceSection() {
  const optOut = useField(['compliance', 'opt_out']);
  const enabled = useField(['compliance', 'opt_out', 'enabled']);
  const isOn = enabled.value === true;
  return (
    <>
      <VariableText
        path={['compliance', 'disclosure', 'text']}
        hint="The first words of an outbound call. Nobody can interrupt them."
        placeholder="Hello, this is an AI of Example Ltd."
      />
      <TextField
        path={['compliance', 'policy']}
        hint="The name of a dial policy. Empty: your default one. Nobody is called under a policy that does not exist."
      />
      <SwitchRow
        label="Honor requests not to be called again"
        hint="The number of anyone who asks not to be called again is suppressed at once; the agent says so and hangs up. Understood in English, Spanish, German and French."
        error={optOut.problem ?? enabled.problem}
        isOn={isOn}
        onChange={(on) => (on ? enabled.change(true) : optOut.change(undefined))}
      />
      {isOn && (
        <div className="form indented">
          <VariableText path={['compliance', 'opt_out', 'confirm']} placeholder={OPT_OUT_MESSAGE} />
          <Radios path={['compliance', 'opt_out', 'scope']} names={OPT_OUT_SCOPES} meanings={SCOPES} usual="user" />
        </div>
      )}
    </>
  );
}

import type { AgentConfigCheck } from '@switchboard/client';
import { Field } from '../../../ui/field.tsx';
import { JsonEditor, type JsonPlace } from '../../../ui/json-editor.tsx';
import { useMay } from '../../../ui/permission.ts';
import { ConfigReport } from '../config-report.tsx';

interface Props {
  text: string;
  problem: string | null;
  check: AgentConfigCheck | undefined;
  /** Keeps the cursor while another tab is shown. */
  place: JsonPlace;
  onChange: (text: string) => void;
}

/** The whole configuration as JSON. */
export function JsonTab({ text, problem, check, place, onChange }: Props) {
  const isReadOnly = !useMay('putAgentDraft');
  return (
    <div className="form">
      <ConfigReport problem={problem} check={check} />
      <Field label="Configuration">
        <JsonEditor
          label="Configuration"
          value={text}
          onChange={onChange}
          isInvalid={problem !== null}
          isReadOnly={isReadOnly}
          place={place}
        />
      </Field>
    </div>
  );
}

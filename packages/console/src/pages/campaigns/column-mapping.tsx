import { FIELDS, type FileHead, variableOf } from '../../data/recipient-file.ts';

const LABELS: Record<(typeof FIELDS)[number], string> = {
  phone_number: 'Phone number',
  external_id: 'Their id in your system',
  time_zone: 'Time zone',
  region: 'Region',
  'consent.kind': 'Consent: its kind',
  'consent.text': 'Consent: its words',
  'consent.obtained_at': 'Consent: when it was given',
  'consent.channel': 'Consent: how it was given',
  'consent.evidence_url': 'Consent: where it is kept',
};

interface Props {
  head: FileHead;
  names: string[];
  onChange: (names: string[]) => void;
}

/** Says what each column of a file is, beside its first entries. */
export function ColumnMapping({ head, names, onChange }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
    <section className="table-frame" aria-label="Columns of the file" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Is</th>
            <th scope="col">For example</th>
          </tr>
        </thead>
        <tbody>
          {head.names.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name.
            <tr key={index}>
              <td className="strong anywhere">{column}</td>
              <td>
                <Choice
                  column={column}
                  value={names[index] ?? ''}
                  onChange={(name) => onChange(names.with(index, name))}
                />
              </td>
              <td className="muted">
                <span className="clip-line">{head.rows.map((row) => row[index] ?? '').join(', ')}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface ChoiceProps {
  column: string;
  value: string;
  onChange: (name: string) => void;
}

function Choice({ column, value, onChange }: ChoiceProps) {
  const own = variableOf(column);
  return (
    <select aria-label={`${column} is`} value={value} onChange={({ target }) => onChange(target.value)}>
      {FIELDS.map((field) => (
        <option key={field} value={field}>
          {LABELS[field]}
        </option>
      ))}
      {!(FIELDS as readonly string[]).includes(own) && own !== '' && (
        <>
          <option value={own}>{`{{${own}}} for the agent`}</option>
          <option value={`metadata.${own}`}>Kept with the call</option>
        </>
      )}
      <option value="">Nothing: leave it out</option>
    </select>
  );
}

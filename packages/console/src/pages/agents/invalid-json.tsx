import { Button } from '../../ui/button.tsx';

/** Shown in place of the form while the JSON cannot be read. */
export function InvalidJson({ problem, onJson }: { problem: string | null; onJson: () => void }) {
  return (
    <div className="failure" role="alert">
      <p>
        <strong>The form cannot show this configuration.</strong> {problem}
      </p>
      <Button onClick={onJson}>Mend the JSON</Button>
    </div>
  );
}

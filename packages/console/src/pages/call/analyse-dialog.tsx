import type { Analysis, CallDetail } from '@switchboard/client';
import { useState } from 'react';
import { Link } from 'wouter';
import { useAnalyse } from '../../data/analyses.ts';
import { MAX_AGENT_EXTRACTORS, useExtractorsOf } from '../../data/extractors.ts';
import { toggled } from '../../data/toggled.ts';
import { messageOf } from '../../ui/failure.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

interface Props {
  call: CallDetail;
  /** Those that there are: their extractors are chosen at first. */
  analyses: Analysis[];
  onClose: () => void;
}

/** Asks which extractors read a call, and has them read it at their newest versions. */
export function AnalyseDialog({ call, analyses, onClose }: Props) {
  const known = useExtractorsOf(call.user_id);
  const analyse = useAnalyse(call.call_id);
  const [chosen, setChosen] = useState<string[] | null>(null);
  const names = known.data?.map(({ name }) => name) ?? [];
  const begun = names.filter((name) => analyses.some(({ extractor }) => extractor === name));
  const selected = chosen ?? (begun.length > 0 ? begun : names.slice(0, 1));
  const error = analyse.error ?? known.error;
  return (
    <FormDialog
      title="Analyse this call"
      action="Analyse"
      isBusy={analyse.isPending}
      isDisabled={selected.length === 0 || selected.length > MAX_AGENT_EXTRACTORS}
      onSubmit={() => analyse.mutate(selected, { onSuccess: onClose })}
      onClose={onClose}
    >
      <p className="muted">
        The newest version of each reads it once more. The results that there are stay until the new ones are there.
      </p>
      {known.isPending && <Skeleton lines={2} />}
      {names.length === 0 && known.data && <NoExtractors />}
      {names.length > 0 && (
        <fieldset className="test-choices">
          <legend className="label">Extractors</legend>
          {known.data?.map(({ id, name, version }) => (
            <label key={id} className="check">
              <input
                type="checkbox"
                checked={selected.includes(name)}
                onChange={() => setChosen(toggled(selected, name))}
              />
              <span className="anywhere">
                {name} <span className="muted">version {version}</span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      <Problem>{error && messageOf(error)}</Problem>
    </FormDialog>
  );
}

const NoExtractors = () => (
  <p>
    There are no extractors yet.{' '}
    <Link to="/analysis" className="in-text">
      Make one
    </Link>{' '}
    first.
  </p>
);

import type { Extractor } from '@switchboard/client';
import { useState } from 'react';
import { contentOf, NewerVersion, type useSaveExtractor } from '../../data/extractors.ts';
import { problemsByField } from '../../data/problems-by-field.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ExtractorChanges } from './extractor-changes.tsx';
import type { ExtractorDraft } from './use-extractor-draft.ts';

interface Props {
  draft: ExtractorDraft;
  save: ReturnType<typeof useSaveExtractor>;
  isNew: boolean;
  isDisabled: boolean;
  onSave: () => void;
}

/** Saves the content, and tells what keeps it from being saved. */
export function SaveBar({ draft, save, isNew, isDisabled, onSave }: Props) {
  const { error, isPending } = save;
  const { isChanged, isOvertaken, content } = draft;
  const isKept = !isNew && !isChanged;
  const places = problemsByField(error).size;
  const state = isKept ? 'Saved.' : isNew ? 'Not saved yet.' : 'Changed, and not saved yet.';
  return (
    <div className="extractor-save">
      {error && places === 0 && !(error instanceof NewerVersion) && <Failure error={error} />}
      {places > 0 && <Problem>Not saved: the service cannot accept what is marked in the form.</Problem>}
      <div className="form-end">
        <p className="muted" role="status" aria-label="State of the extractor">
          {state}
          {!isNew && isChanged && ' Saving makes the next version; agents keep theirs until they are published again.'}
        </p>
        {isChanged && !isOvertaken && (
          <Button onClick={draft.discard} disabled={isPending}>
            {isNew ? 'Begin again' : 'Discard the changes'}
          </Button>
        )}
        <Button
          kind="primary"
          isBusy={isPending}
          disabled={isKept || isDisabled || isOvertaken || content === null}
          onClick={onSave}
        >
          {isNew ? 'Save' : 'Save as a new version'}
        </Button>
      </div>
    </div>
  );
}

/** Says that somebody else has saved a version since, and lets whoever edits decide. */
export function Overtaken({ draft, stored }: { draft: ExtractorDraft; stored: Extractor }) {
  const [isShown, setShown] = useState(false);
  return (
    <div className="notice row" role="alert">
      <p>
        <strong>Somebody else has saved version {stored.version} meanwhile.</strong> Your changes are made to{' '}
        {draft.from === null ? 'an earlier one' : `version ${draft.from}`}, and are not saved.
      </p>
      <div className="actions">
        {draft.content && <Button onClick={() => setShown(true)}>Compare</Button>}
        <Button onClick={draft.discard}>Take theirs</Button>
        <Button onClick={draft.rebase}>Keep mine</Button>
      </div>
      {isShown && draft.content && (
        <Dialog title={`Yours, compared with version ${stored.version}`} isOpen isWide onClose={() => setShown(false)}>
          <ExtractorChanges before={contentOf(stored)} after={draft.content} />
        </Dialog>
      )}
    </div>
  );
}

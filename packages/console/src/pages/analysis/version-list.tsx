import type { Extractor } from '@switchboard/client';
import { useState } from 'react';
import { fieldsOf } from '../../data/extractor-content.ts';
import { contentOf, useExtractorVersions } from '../../data/extractors.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmLoss } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { ExtractorChanges } from './extractor-changes.tsx';
import type { ExtractorDraft } from './use-extractor-draft.ts';

/** Versions that are read at once. */
const PAGE = 10;

/** Every version of an extractor, newest first, with what it has changed. */
export function VersionList({ extractor, draft }: { extractor: Extractor; draft: ExtractorDraft }) {
  const [count, setCount] = useState(PAGE);
  const [shown, setShown] = useState<Extractor | null>(null);
  const [replacing, setReplacing] = useState<Extractor | null>(null);
  const edit = (one: Extractor) => (draft.isChanged ? setReplacing(one) : draft.set(contentOf(one)));
  // One more than is shown: what the last of them has changed.
  const numbers = Array.from({ length: Math.min(extractor.version, count + 1) }, (_, at) => extractor.version - at);
  const versions = useExtractorVersions(extractor.id, numbers);
  const found = versions.flatMap(({ data }) => data ?? []);
  // The oldest of a thousand versions are deleted.
  const failed = versions.find(({ error }) => error !== null);
  const beforeOf = ({ version }: Extractor) => found.find((one) => one.version < version);
  const before = shown && beforeOf(shown);
  if (found.length === 0) return failed?.error ? <Failure error={failed.error} /> : <Skeleton />;
  return (
    <>
      <Table
        label="Versions"
        columns={columns({ newest: extractor.version, beforeOf, onShow: setShown, onEdit: edit, draft })}
        rows={found.slice(0, count)}
        keyOf={({ version }) => `${version}`}
      />
      {extractor.version > count && !failed && (
        <div className="more">
          <Button onClick={() => setCount(count + PAGE)}>Show more</Button>
        </div>
      )}
      {shown && before && <Changes before={before} after={shown} onClose={() => setShown(null)} />}
      {replacing && (
        <ConfirmLoss
          title={`Put version ${replacing.version} into the form?`}
          text="Your changes there are not saved, and are lost."
          action="Discard them"
          onConfirm={() => draft.set(contentOf(replacing))}
          onClose={() => setReplacing(null)}
        />
      )}
    </>
  );
}

interface ChangesProps {
  before: Extractor;
  after: Extractor;
  onClose: () => void;
}

function Changes({ before, after, onClose }: ChangesProps) {
  return (
    <Dialog title={`Version ${after.version}, compared with version ${before.version}`} isOpen isWide onClose={onClose}>
      <ExtractorChanges before={contentOf(before)} after={contentOf(after)} />
    </Dialog>
  );
}

interface Options {
  newest: number;
  beforeOf: (extractor: Extractor) => Extractor | undefined;
  onShow: (extractor: Extractor) => void;
  onEdit: (extractor: Extractor) => void;
  draft: ExtractorDraft;
}

function columns({ newest, beforeOf, onShow, onEdit, draft }: Options): Column<Extractor>[] {
  return [
    {
      title: 'Version',
      cell: ({ version }) => (
        <span className="strong number">
          {version}
          {version === newest && <span className="muted"> newest</span>}
        </span>
      ),
    },
    { title: 'Made', cell: ({ updated_at }) => <Time at={updated_at} /> },
    { title: 'Questions', isNumber: true, isMinor: true, cell: (one) => fieldsOf(contentOf(one)).length },
    {
      title: 'Actions',
      isNumber: true,
      cell: (one) => (
        <span className="cell-actions">
          {beforeOf(one) && (
            <Button onClick={() => onShow(one)} aria-label={`Changes of version ${one.version}`}>
              Changes
            </Button>
          )}
          {one.version !== newest && <EditAgain extractor={one} draft={draft} onEdit={onEdit} />}
        </span>
      ),
    },
  ];
}

/** Puts the content of an earlier version into the form; saving makes it the newest. */
function EditAgain({ extractor, draft, onEdit }: { extractor: Extractor } & Pick<Options, 'draft' | 'onEdit'>) {
  const mayWrite = useMay('saveExtractor');
  const isThere = draft.text === JSON.stringify(contentOf(extractor), null, 2);
  if (!mayWrite) return null;
  const text = isThere ? 'In the form' : 'Edit again';
  return (
    <Button disabled={isThere} onClick={() => onEdit(extractor)} aria-label={`${text}: version ${extractor.version}`}>
      {text}
    </Button>
  );
}

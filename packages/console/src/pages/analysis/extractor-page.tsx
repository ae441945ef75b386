import type { Extractor } from '@switchboard/client';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { EMPTY_EXTRACTOR, EXTRACTOR_TEMPLATES } from '../../data/extractor-templates.ts';
import { contentOf, useDeleteExtractor, useExtractor, useExtractors } from '../../data/extractors.ts';
import { useOneUser } from '../../data/session.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Failure, isMissing } from '../../ui/failure.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { ExtractorEditor } from './extractor-editor.tsx';

const BACK = { to: '/analysis', label: 'Analysis' };
const NEW = 'The questions of a new extractor. They are asked about calls once an agent names it.';

/** One extractor, to read and change; `new` is one to be made, of a template. */
export default function ExtractorPage({ id, template: named }: { id: string; template: string | undefined }) {
  const template = EXTRACTOR_TEMPLATES.find(({ name }) => name === named);
  const known = useExtractors().data ?? [];
  const user = useOneUser();
  if (id !== 'new') return <StoredExtractor id={id} />;
  return (
    <Page title="New extractor" text={NEW} back={BACK}>
      <ExtractorEditor
        // Edits belong to the user and the template.
        key={JSON.stringify([user, template?.name])}
        draftKey={`new ${template?.name ?? ''}`}
        begun={template?.content ?? EMPTY_EXTRACTOR}
        begunName={freeName(template?.name ?? '', known)}
        stored={null}
      />
    </Page>
  );
}

/** The name, with a number if there is an extractor of this name. */
function freeName(name: string, known: { name: string }[]): string {
  const isTaken = (one: string) => known.some((other) => other.name === one);
  for (let number = 2; isTaken(name); number++) {
    const next = `${name}-${number}`;
    if (!isTaken(next)) return next;
  }
  return name;
}

function StoredExtractor({ id }: { id: string }) {
  const extractor = useExtractor(id);
  const user = useOneUser();
  if (extractor.data && !isMissing(extractor.error)) return <FoundExtractor key={user} extractor={extractor.data} />;
  return (
    <Page title="Extractor" back={BACK}>
      {extractor.isPending && <Skeleton />}
      {extractor.error && isMissing(extractor.error) && (
        <Empty
          title="This extractor does not exist"
          text="It was deleted, or it belongs to another user."
          to="/analysis"
          action="All extractors"
        />
      )}
      {extractor.error && !isMissing(extractor.error) && (
        <Failure error={extractor.error} onRetry={extractor.refetch} />
      )}
    </Page>
  );
}

function FoundExtractor({ extractor }: { extractor: Extractor }) {
  const remove = useDeleteExtractor(extractor.id);
  const [isAsking, setAsking] = useState(false);
  const [, navigate] = useLocation();
  return (
    <Page
      title={extractor.name}
      text={`Version ${extractor.version}`}
      back={BACK}
      actions={
        <IconButton needs="deleteExtractor" icon="trash" label="Delete the extractor" onClick={() => setAsking(true)} />
      }
    >
      <ExtractorEditor
        draftKey={extractor.id}
        begun={contentOf(extractor)}
        begunName={extractor.name}
        stored={extractor}
      />
      {isAsking && (
        <Confirm
          title={`Delete the extractor ${extractor.name}?`}
          text="All its versions are deleted. Agents that name it analyse no more calls with it. What it has found stays on the pages of the calls and in the figures. To keep its versions, take it out of the agents instead."
          action="Delete"
          mutation={remove}
          onDone={() => navigate('/analysis')}
          onClose={() => setAsking(false)}
        />
      )}
    </Page>
  );
}

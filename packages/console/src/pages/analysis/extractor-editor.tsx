import type { Extractor } from '@switchboard/client';
import { useLocation, useSearchParams } from 'wouter';
import type { Content } from '../../data/extractor-content.ts';
import { putOf, useExtractors, useSaveExtractor } from '../../data/extractors.ts';
import { problemsByField } from '../../data/problems-by-field.ts';
import { ApiCall } from '../../ui/api-call.tsx';
import { Field } from '../../ui/field.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { useMay } from '../../ui/permission.ts';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { ExtractorForm } from './extractor-form.tsx';
import { Overtaken, SaveBar } from './save-bar.tsx';
import { type ExtractorDraft, useExtractorDraft } from './use-extractor-draft.ts';
import { VersionList } from './version-list.tsx';

const TABS = [
  ['form', 'Questions'],
  ['json', 'As JSON'],
  ['versions', 'Versions'],
] as const;

interface Props {
  draftKey: string;
  begun: Content;
  begunName: string;
  /** Null for a new one. */
  stored: Extractor | null;
}

/** The content of an extractor as a form and as JSON, which are always the same, and its versions. */
export function ExtractorEditor({ draftKey, begun, begunName, stored }: Props) {
  const tabs = stored ? TABS : TABS.filter(([id]) => id !== 'versions');
  const tab = useTab({ tabs });
  const draft = useExtractorDraft(draftKey, begun, begunName, stored);
  const { name, setName, content } = draft;
  const save = useSaveExtractor();
  const [, navigate] = useLocation();
  const [, setSearch] = useSearchParams();
  const isReadOnly = !useMay('saveExtractor');
  const nameProblem = useNameProblem(name, stored);
  const submit = () => {
    if (!content) return;
    const edited = stored && { ...stored, version: draft.from ?? 0 };
    save.mutate(
      { name, content, from: edited },
      {
        onSuccess: (saved) => {
          draft.saved(saved);
          if (!stored) navigate(`/analysis/extractors/${saved.id}`, { replace: true });
        },
      },
    );
  };
  const form = { draft, problems: problemsByField(save.error), isReadOnly, onJson: () => setSearch({ tab: 'json' }) };
  return (
    <div className="extractor">
      {stored && draft.isOvertaken && <Overtaken draft={draft} stored={stored} />}
      {!stored && <NameField name={name} problem={nameProblem} onChange={setName} />}
      <Tabs label="Views of the extractor" tabs={tabs} />
      {tab === 'form' && <ExtractorForm {...form} />}
      {tab === 'json' && <JsonTab draft={draft} isReadOnly={isReadOnly} />}
      {tab === 'versions' && stored && <VersionList extractor={stored} draft={draft} />}
      {content && name !== '' && tab === 'json' && <ApiCall ask={(api) => api.extractors.save(putOf(name, content))} />}
      {!isReadOnly && tab !== 'versions' && (
        <SaveBar
          draft={draft}
          save={save}
          isNew={!stored}
          isDisabled={nameProblem !== null || name === ''}
          onSave={submit}
        />
      )}
    </div>
  );
}

function JsonTab({ draft, isReadOnly }: { draft: ExtractorDraft; isReadOnly: boolean }) {
  return (
    <Field label="Extractor" error={draft.problem}>
      <JsonEditor
        label="Extractor"
        value={draft.text}
        isInvalid={draft.problem !== null}
        isReadOnly={isReadOnly}
        onChange={draft.change}
      />
    </Field>
  );
}

/** The reason why a new extractor cannot have a name; an empty one is asked for, and is no mistake yet. */
function useNameProblem(name: string, stored: Extractor | null): string | null {
  const known = useExtractors().data ?? [];
  if (stored || name === '') return null;
  if (!/^[a-z]/.test(name)) return 'A name begins with a letter.';
  return known.some((one) => one.name === name) ? 'You have an extractor with this name: change that one.' : null;
}

interface NameProps {
  name: string;
  problem: string | null;
  onChange: (name: string) => void;
}

/** The name of a new extractor: by it agents, filters and the API know it, and it stays. */
function NameField({ name, problem, onChange }: NameProps) {
  const clean = (typed: string) =>
    onChange(
      typed
        .toLowerCase()
        .replaceAll(/[^a-z0-9_-]/g, '-')
        .slice(0, 64),
    );
  return (
    <div className="extractor-name">
      <Field label="Name" hint="Agents name the extractor by it. It cannot be changed later." error={problem}>
        <input
          value={name}
          placeholder="outcome"
          spellCheck={false}
          autoComplete="off"
          onChange={({ target }) => clean(target.value)}
        />
      </Field>
    </div>
  );
}

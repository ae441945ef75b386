import type { ModelKind } from '@switchboard/client';
import { type ReactNode, useEffect, useRef } from 'react';
import { modelsOf, type Path, schemaAt, valueAt } from '../../../data/config-paths.ts';
import { labelAt, nameAt } from '../../../data/form-fields.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Problem } from '../../../ui/problem.tsx';
import { useField, useForm } from './form.ts';
import { ModelCard } from './model-card.tsx';

interface Props {
  kind: ModelKind;
  /** Name of the latency that is measured. */
  measured: string;
  agentId: string;
  /** Further fields of the model at a place. */
  settings: (path: Path) => ReactNode;
}

/** The models of a kind in their order, and what changes it. The focus goes with a model that is added or moved. */
function useModels(kind: ModelKind) {
  const { config, schema } = useForm();
  const { problem, change, schema: either } = useField([kind]);
  const group = useRef<HTMLDivElement>(null);
  const focused = useRef<number | null>(null);
  useEffect(() => {
    if (focused.current === null) return;
    group.current?.querySelectorAll<HTMLElement>('.model-card')[focused.current]?.focus();
    focused.current = null;
  });
  const models = modelsOf(config, kind);
  const list = models.map(({ model }) => model ?? {});
  const put = (next: unknown[], focus: number) => {
    focused.current = focus;
    change(next.length > 1 ? next : next[0]);
  };
  return {
    group,
    models,
    problem,
    most: either.anyOf?.find(({ maxItems }) => maxItems !== undefined)?.maxItems ?? 1,
    move: (from: number, to: number) => put(list.with(from, list[to] ?? {}).with(to, list[from] ?? {}), to),
    remove: (at: number) => put(list.toSpliced(at, 1), Math.min(at, list.length - 2)),
    add: () => {
      const used = list.map((model) => valueAt(model, ['provider']) ?? 'openai');
      // The same provider fails again.
      const provider = schemaAt(schema, [kind, 'provider'])?.enum?.find((one) => !used.includes(one)) ?? 'openai';
      put([...list, { provider }], list.length);
    },
  };
}

/** The model of a kind, and those that take over from it. */
export function ModelGroup({ kind, settings, ...card }: Props) {
  const { group, models, problem, most, move, remove, add } = useModels(kind);
  return (
    <div className="model-group" ref={group}>
      {models.map(({ path }, at) => (
        <ModelCard
          // biome-ignore lint/suspicious/noArrayIndexKey: models have no id, and everything in them is edited.
          key={at}
          {...card}
          kind={kind}
          path={path}
          title={titleOf(kind, at)}
          isLater={at > 0}
          order={
            models.length > 1 && (
              <Order
                name={titleOf(kind, at)}
                isFirst={at === 0}
                isLast={at === models.length - 1}
                onMove={(by) => move(at, at + by)}
                onRemove={() => remove(at)}
              />
            )
          }
        >
          {settings(path)}
        </ModelCard>
      ))}
      <Problem>{problem}</Problem>
      {models.length < most && (
        <div>
          <Button icon="plus" onClick={add} aria-label={`Add a fallback model: ${labelAt([kind])}`}>
            Add a fallback model
          </Button>
        </div>
      )}
    </div>
  );
}

/** The name of a model, by its place in the list. */
const titleOf = (kind: ModelKind, at: number) => nameAt([kind, at]) ?? kind;

interface OrderProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

/** Buttons that give a model another place among those of its list. */
function Order({ name, isFirst, isLast, onMove, onRemove }: OrderProps) {
  return (
    <div className="model-order">
      <IconButton icon="higher" label={`Move up: ${name}`} disabled={isFirst} onClick={() => onMove(-1)} />
      <IconButton icon="lower" label={`Move down: ${name}`} disabled={isLast} onClick={() => onMove(1)} />
      <IconButton icon="trash" label={`Remove: ${name}`} onClick={onRemove} />
    </div>
  );
}

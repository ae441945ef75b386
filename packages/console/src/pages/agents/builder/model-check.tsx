import type { ModelKind } from '@switchboard/client';
import { type Path, valueAt } from '../../../data/config-paths.ts';
import { checkOf, resultText } from '../../../data/provider-check.ts';
import { useProviderCheck } from '../../../data/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { useMay } from '../../../ui/permission.ts';
import { Badge } from '../../../ui/status.tsx';
import { useForm } from './form.ts';

interface Props {
  kind: ModelKind;
  path: Path;
}

/** Has a worker ask the model at a place, to see whether its key works. */
export function ModelCheck({ kind, path }: Props) {
  const { config } = useForm();
  const { mutate, data, variables, error, isPending } = useProviderCheck();
  const asked = checkOf(kind, valueAt(config, path));
  if (!useMay('checkProvider')) return null;
  // A result is about the model that was asked.
  const isCurrent = JSON.stringify(variables) === JSON.stringify(asked);
  return (
    <div className="model-check">
      <Button onClick={() => mutate(asked)} isBusy={isPending}>
        Check the key
      </Button>
      <div role="status">
        {isPending && <span className="muted">Asking the model for one word…</span>}
        {data && isCurrent && !isPending && (
          <>
            <Badge tone={data.outcome === 'ok' ? 'good' : 'bad'}>{data.outcome === 'ok' ? 'Works' : 'Failed'}</Badge>
            <span className="muted anywhere">{resultText(data)}</span>
            {data.detail && !data.is_simulated && <span className="muted anywhere">{data.detail}</span>}
          </>
        )}
      </div>
      {error && isCurrent && <Failure error={error} />}
    </div>
  );
}

import type { FunctionCheck, FunctionCheckCreate } from '@switchboard/client';
import { useState } from 'react';
import { isObject, type Path, toParameters } from '../../../data/config-paths.ts';
import { argumentsOf, functionResultText, variablesIn } from '../../../data/function-check.ts';
import { useFunctionCheck } from '../../../data/settings.ts';
import { Button } from '../../../ui/button.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { Field } from '../../../ui/field.tsx';
import { useMay } from '../../../ui/permission.ts';
import { Badge } from '../../../ui/status.tsx';
import { useField } from './form.ts';

interface Props {
  agentId: string;
  path: Path;
}

/** Has a worker call the function, and shows what was sent and what came back. */
export function FunctionTest({ agentId, path }: Props) {
  const { value } = useField(path);
  const { mutate, data, variables: asked, error, isPending } = useFunctionCheck(agentId);
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState<Record<string, string>>({});
  if (!useMay('checkFunction')) return null;
  const parameters = isObject(value) ? value.parameters : undefined;
  const names = toParameters(parameters).map(({ name }) => name);
  const others = variablesIn(value);
  const variables = Object.fromEntries(others.map((name) => [name, typed[name] ?? '']));
  const next = {
    function: value as FunctionCheckCreate['function'],
    arguments: argumentsOf(parameters, typed),
    variables,
  };
  // A result is about the function as it was.
  const isCurrent = JSON.stringify(asked) === JSON.stringify(next);
  if (!isOpen)
    return (
      <div>
        <Button onClick={() => setOpen(true)}>Test…</Button>
      </div>
    );
  return (
    <section className="function-test" aria-label="Test">
      <p className="hint">Sends the request of a call, once: the function does its work.</p>
      <Values names={names} variables={others} typed={typed} onChange={setTyped} />
      <div className="model-check">
        <Button onClick={() => mutate(next)} isBusy={isPending}>
          Send the request
        </Button>
        <div role="status">
          {isPending && <span className="muted">Waiting for the answer…</span>}
          {data && isCurrent && !isPending && <Outcome result={data} />}
        </div>
      </div>
      {error && isCurrent && <Failure error={error} />}
      {data && isCurrent && !isPending && <Exchange result={data} />}
    </section>
  );
}

interface ValuesProps {
  /** The arguments. */
  names: string[];
  variables: string[];
  typed: Record<string, string>;
  onChange: (typed: Record<string, string>) => void;
}

function Values({ names, variables, typed, onChange }: ValuesProps) {
  if (names.length + variables.length === 0) return null;
  return (
    <div className="columns">
      {[...names, ...variables].map((name) => (
        <Field key={name} label={name} hint={names.includes(name) ? undefined : 'Variable of the call'}>
          <input
            value={typed[name] ?? ''}
            maxLength={1000}
            onChange={({ target }) => onChange({ ...typed, [name]: target.value })}
          />
        </Field>
      ))}
    </div>
  );
}

function Outcome({ result }: { result: FunctionCheck }) {
  const { outcome, detail, is_simulated } = result;
  const tone = outcome === 'failed' ? 'bad' : is_simulated ? 'quiet' : 'good';
  return (
    <>
      <Badge tone={tone}>{outcome === 'failed' ? 'Failed' : is_simulated ? 'Not sent' : 'Works'}</Badge>
      <span className="muted anywhere">{functionResultText(result)}</span>
      {detail && !is_simulated && <span className="muted anywhere">{detail}</span>}
    </>
  );
}

function Exchange({ result: { request, response } }: { result: FunctionCheck }) {
  return (
    <>
      {request && (
        <Message
          title="Request"
          first={`${request.method} ${request.url}`}
          headers={request.headers}
          body={request.body}
        />
      )}
      {response && (
        <Message
          title="Answer"
          first={`Status ${response.status}`}
          headers={response.headers}
          body={`${response.body}${response.is_cut ? '…' : ''}`}
        />
      )}
    </>
  );
}

interface MessageProps {
  title: string;
  first: string;
  headers: { name: string; value: string }[];
  body: string;
}

function Message({ title, first, headers, body }: MessageProps) {
  const lines = [first, ...headers.map(({ name, value }) => `${name}: ${value}`)];
  return (
    <figure className="function-message">
      <figcaption className="label">{title}</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard. */}
      <pre tabIndex={0}>
        {lines.join('\n')}
        {body && `\n\n${pretty(body)}`}
      </pre>
    </figure>
  );
}

/** JSON with indentation; other text as it is. */
function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

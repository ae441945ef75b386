import type { Path } from '../../../data/config-paths.ts';
import { secondsOf } from '../../../data/durations.ts';
import { ChoiceField, LongTextField, TextField } from './fields.tsx';
import { useField } from './form.ts';
import { FunctionTest } from './function-check.tsx';
import { HeaderList } from './header-list.tsx';
import { ParameterList } from './parameter-list.tsx';
import { Slider } from './slider.tsx';
import { ToolCard } from './tool-card.tsx';

interface Props {
  agentId: string;
  path: Path;
}

/** A function of the customer's, over HTTP. */
export function FunctionCard({ agentId, path }: Props) {
  const { value } = useField(path);
  const { method } = (value ?? {}) as { method?: unknown };
  const isBodiless = method === 'GET' || method === 'DELETE';
  return (
    <ToolCard path={path} unnamed="New function">
      <div className="columns">
        <TextField path={[...path, 'name']} hint="Letters, digits, _ and -." placeholder="find_order" />
        <TextField
          path={[...path, 'url']}
          type="url"
          hint={<>Signed. Behind the host, {'{{name}}'} is an argument or variable.</>}
          placeholder="https://example.com/orders/find"
        />
      </div>
      <ChoiceField path={[...path, 'method']} labels={METHODS} unset="Usual: POST" />
      <LongTextField
        path={[...path, 'description']}
        placeholder="Finds an order by its number, and says where it is and when it arrives."
      />
      <ParameterList path={[...path, 'parameters']} />
      <HeaderList path={[...path, 'headers']} />
      {!isBodiless && (
        <LongTextField
          path={[...path, 'body']}
          hint={
            <>
              JSON, with {'{{name}}'} for arguments and variables. Left empty, it is the arguments with the ids of the
              call.
            </>
          }
          placeholder={'{"order": {{order_number}}}'}
        />
      )}
      <Slider path={[...path, 'timeout_s']} range={[1, 60, 1]} usual={10} format={secondsOf} meaning={waitMeaning} />
      <FunctionTest agentId={agentId} path={path} />
    </ToolCard>
  );
}

const METHODS = {
  GET: 'GET: the arguments are in the query',
  DELETE: 'DELETE: the arguments are in the query',
};

function waitMeaning(seconds: number): string {
  if (seconds <= 3) return 'The caller hardly notices the pause.';
  if (seconds <= 10) return 'The caller waits; let the agent say that it looks something up.';
  return 'A long silence: callers hang up.';
}

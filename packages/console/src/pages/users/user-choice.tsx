import { type FormEvent, useDeferredValue, useState } from 'react';
import { useSession } from '../../data/session.tsx';
import type { Shown } from '../../data/signed-in.ts';
import { canBeNamed, useUsers } from '../../data/users.ts';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { More } from '../../ui/more.tsx';

export const ALL_USERS = 'All users';

interface Props {
  onChoose: (id: Shown) => void;
  /** Offers all users together, as well as each one. */
  withAll?: boolean;
}

/** Users shown before, then all that have agents; or any other user, by its id. */
export function UserChoice({ onChoose, withAll = false }: Props) {
  const { user, known } = useSession();
  const [typed, setTyped] = useState('');
  const id = typed.trim();
  const prefix = useDeferredValue(id);
  const users = useUsers(prefix, true);
  const found = users.data?.pages.flatMap(({ items }) => items.map(({ user_id }) => user_id)) ?? [];
  const before = known.filter((one) => one !== null).filter((one) => one.startsWith(id));
  const choices = [...new Set([...before, ...found])];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canBeNamed(id)) onChoose(id);
  };
  return (
    <>
      <form className="row" onSubmit={submit}>
        <Field label="Another user’s id">
          <input
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            maxLength={255}
            placeholder="Search, or type an id"
            autoComplete="off"
          />
        </Field>
        <Button type="submit" disabled={!canBeNamed(id)}>
          Show
        </Button>
      </form>
      {users.error && <Failure error={users.error} onRetry={users.refetch} />}
      <ul className="choices" aria-label="Users">
        {withAll && id === '' && <All isShown={user === null} onChoose={() => onChoose(null)} />}
        {choices.map((one) => (
          <Choice key={one} id={one} isShown={one === user} onChoose={onChoose} />
        ))}
      </ul>
      {choices.length === 0 && users.data && (
        <p className="muted">No user with agents has an id that begins like this. You can still open it with Show.</p>
      )}
      <More query={users} />
    </>
  );
}

interface ChoiceProps {
  id: string;
  isShown: boolean;
  onChoose: (id: string) => void;
}

function All({ isShown, onChoose }: { isShown: boolean; onChoose: () => void }) {
  return (
    <li>
      <button type="button" onClick={onChoose} aria-current={isShown || undefined}>
        <span className="strong">{ALL_USERS}</span>
        {isShown && <Icon name="check" />}
      </button>
    </li>
  );
}

function Choice({ id, isShown, onChoose }: ChoiceProps) {
  const isPossible = canBeNamed(id);
  return (
    <li>
      <button type="button" onClick={() => onChoose(id)} aria-current={isShown || undefined} disabled={!isPossible}>
        <span className="clip">{isPossible ? id : JSON.stringify(id)}</span>
        {!isPossible && (
          <span className="muted small">not a valid id: control characters, or a leading or trailing space</span>
        )}
        {isShown && <Icon name="check" />}
      </button>
    </li>
  );
}

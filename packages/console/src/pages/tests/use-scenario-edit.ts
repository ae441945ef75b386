import type { Scenario } from '@switchboard/client';
import { keep, useKept } from '../../data/kept.ts';
import { useSession } from '../../data/session.tsx';

/** A text that is not saved, and the stored one that it was made of; empty for a new scenario. */
interface Edit {
  text: string;
  from: string;
}

/** The text that is edited. It is kept in this tab of the browser until it is saved or discarded. */
export function useScenarioEdit(place: string, begun: string, stored: Scenario | undefined) {
  const { user } = useSession();
  const placeOf = (of: string) => `scenario ${user} ${of}`;
  const [edit, put] = useKept(placeOf(place), readEdit);
  const text = edit?.text ?? begun;
  const newest = stored?.text ?? '';
  const from = edit?.from ?? newest;
  return {
    text,
    /** The stored text that it was made of. */
    from,
    /** Somebody else has saved another text since. */
    isOvertaken: from !== newest,
    change: (next: string) => put(next === begun ? null : { text: next, from }),
    discard: () => put(null),
    /** Goes on with the same text in place of the newest one. */
    rebase: () => put({ text, from: newest }),
    /** The text, as it is here, was saved. What was typed meanwhile is an edit of that, also if that is another one. */
    saved: ({ id, text: from }: Scenario) =>
      put((now) => {
        const typed = now?.text ?? begun;
        const left = typed === text ? null : { text: typed, from };
        if (id === stored?.id) return left;
        if (left) keep(placeOf(id), left);
        return null;
      }),
  };
}

export type ScenarioEdit = ReturnType<typeof useScenarioEdit>;

const readEdit = ({ text, from }: Record<string, unknown>): Edit | null =>
  typeof text === 'string' && typeof from === 'string' ? { text, from } : null;

import { type Budget, type BudgetPut, SwitchboardError } from '@switchboard/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { differing } from './differing.ts';
import { keys } from './keys.ts';
import { useOneUser, useSession } from './session.tsx';

/** The user's budget, with the amount spent this month; null without a budget. */
export function useBudget() {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.budget(user),
    queryFn: ({ signal }): Promise<Budget | null> => api.budgets.get(user, { signal }).catch(noneIfMissing),
  });
}

function noneIfMissing(error: unknown): null {
  if (error instanceof SwitchboardError && error.status === 404) return null;
  throw error;
}

type Settings = Required<BudgetPut>;

/** The settings of a budget; of none, those that a new one begins with. */
export function settingsOf(budget: Budget | null): Settings {
  return {
    monthly_limit: budget?.monthly_limit ?? null,
    thresholds: budget?.thresholds ?? [50, 80, 100],
    refuse_calls: budget?.refuse_calls ?? false,
    end_calls: budget?.end_calls ?? false,
    count_tests: budget?.count_tests ?? false,
    cost_per_minute: budget?.cost_per_minute ?? null,
    expected_minutes: budget?.expected_minutes ?? null,
  };
}

/** Sets what differs from the budget as it was shown; what others have changed meanwhile stays. */
export function useSetBudget() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ before, wanted }: { before: Settings; wanted: Settings }) => {
      const now = settingsOf(await api.budgets.get(user).catch(noneIfMissing));
      return api.budgets.set(user, { ...now, ...differing(wanted, before) });
    },
    onSuccess: (budget) => queries.setQueryData(keys.budget(user), budget),
  });
}

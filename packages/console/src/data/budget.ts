import { type Budget, type BudgetPut, SwitchboardError } from '@switchboard/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from './keys.ts';
import { useOneUser, useSession } from './session.tsx';

/** The user's budget, with the amount spent this month; null without a budget. */
export function useBudget() {
  const { api } = useSession();
  const user = useOneUser();
  return useQuery({
    queryKey: keys.budget(user),
    queryFn: async ({ signal }): Promise<Budget | null> => {
      try {
        return await api.budgets.get(user, { signal });
      } catch (error) {
        if (error instanceof SwitchboardError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** Replaces the budget of the user. */
export function useSetBudget() {
  const { api } = useSession();
  const user = useOneUser();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (budget: BudgetPut) => api.budgets.set(user, budget),
    onSuccess: (budget) => queries.setQueryData(keys.budget(user), budget),
  });
}

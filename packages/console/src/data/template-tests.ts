import type { Template } from '@switchboard/templates';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Added, addTests } from './add-tests.ts';
import { keys } from './keys.ts';
import { useSession } from './session.tsx';

/**
 * Makes the suite of a template, named like it. A suite and scenarios that the user has by these names stay as they
 * are, so that doing it again goes on after a failure and overwrites nothing.
 */
export function useAddTemplateTests() {
  const { api, user } = useSession();
  const queries = useQueryClient();
  const [progress, setProgress] = useState<Added | null>(null);
  const add = useMutation({
    mutationFn: async (template: Template) => {
      const { default: texts } = await import('template-scenarios');
      return addTests(api, template.name, texts[template.key] ?? [], setProgress);
    },
    onSettled: () => {
      setProgress(null);
      return queries.invalidateQueries({ queryKey: keys.tests(user) });
    },
  });
  return { add, progress };
}

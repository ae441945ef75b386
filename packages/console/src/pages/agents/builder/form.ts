import type { AgentConfig, AgentConfigCheck } from '@switchboard/client';
import { createContext, useContext } from 'react';
import { type Path, type Schema, schemaAt, valueAt } from '../../../data/config-paths.ts';
import { labelAt } from '../../../data/form-fields.ts';

/** The configuration that is edited. */
export interface Form {
  config: AgentConfig;
  schema: Schema;
  /** Problems that the service has found in it. */
  problems: AgentConfigCheck['problems'];
  /** Variables in its texts. */
  variables: string[];
  isReadOnly: boolean;
  /** Sets a value; `undefined` removes it. */
  set(path: Path, value: unknown): void;
}

export const FormContext = createContext<Form | null>(null);

/** The form around a field. */
export function useForm(): Form {
  const form = useContext(FormContext);
  if (!form) throw new Error('there is no form around this field');
  return form;
}

/** One value of the configuration: its label in the form, its schema, what is wrong with it, and how to change it. */
export function useField(path: Path) {
  const { config, schema, problems, set } = useForm();
  const place = path.join('.');
  return {
    label: labelAt(path),
    value: valueAt(config, path),
    schema: schemaAt(schema, path) ?? {},
    problem: problems.find(({ loc }) => loc.slice(1).join('.') === place)?.msg ?? null,
    change: (value: unknown) => set(path, value),
  };
}

/** Problems of a value, and of those inside of it. */
export function useProblems(path: Path): string[] {
  const place = path.join('.');
  const isHere = (at: string) => at === place || at.startsWith(`${place}.`);
  return useForm().problems.flatMap(({ loc, msg }) => (isHere(loc.slice(1).join('.')) ? msg : []));
}

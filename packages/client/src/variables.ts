/** A text with `{{name}}` replaced by the variable of a call with that name, or by nothing if the call has none. */
export function renderVariables(text: string, variables: Readonly<Record<string, unknown>>): string {
  return text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) =>
    Object.hasOwn(variables, name) ? String(variables[name]) : '',
  );
}

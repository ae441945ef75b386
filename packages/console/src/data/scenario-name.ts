/** The name in the text of a scenario, YAML or JSON, if it stands on one line; empty if none is found. */
export function nameOf(text: string): string {
  const [, value = ''] = /^\s*\{?\s*"?scenario"?\s*:\s*(.*?),?\s*$/m.exec(text) ?? [];
  const [, quoted] = /^(?:"((?:[^"\\]|\\.)*)"|'.*')/.exec(value) ?? [];
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1');
  return value.startsWith("'") ? value.slice(1, -1).replaceAll("''", "'") : value.replace(/\s#.*$/, '').trim();
}

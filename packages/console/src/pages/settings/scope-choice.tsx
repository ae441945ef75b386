import type { ApiKeyCreate } from '@switchboard/client';

export type Scope = NonNullable<ApiKeyCreate['scopes']>[number];

/** Every part of the API; the type makes a new one appear here. */
const SCOPES = Object.keys({
  agents: true,
  tests: true,
  outreach: true,
  calls: true,
  sessions: true,
  stats: true,
  media: true,
  telephony: true,
  usage: true,
  prices: true,
  costs: true,
  callbacks: true,
  keys: true,
  audit: true,
  privacy: true,
  service: true,
} satisfies Record<Scope, true>) as Scope[];

/** Which parts of the API a key is limited to; none selected: all. */
export function ScopeChoice({ scopes, onChange }: { scopes: Scope[]; onChange: (scopes: Scope[]) => void }) {
  const toggle = (scope: Scope) =>
    onChange(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return (
    <details>
      <summary>{scopes.length > 0 ? `Limited to ${scopes.join(', ')}` : 'The whole API'}</summary>
      <fieldset className="filters">
        <legend className="label">Limited to</legend>
        {SCOPES.map((scope) => (
          <label key={scope} className="check">
            <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} />
            {scope}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

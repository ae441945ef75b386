import type { ApiKeyCreate } from '@switchboard/client';
import { CheckGroup } from '../../ui/check-group.tsx';

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
  return (
    <details>
      <summary>{scopes.length > 0 ? `Limited to ${scopes.join(', ')}` : 'The whole API'}</summary>
      <CheckGroup label="Limited to" names={SCOPES} labelOf={(scope) => scope} chosen={scopes} onChange={onChange} />
    </details>
  );
}

import { useContext } from 'react';
import { Link, useLocation } from 'wouter';
import { useLiveCalls } from '../data/live.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { PermissionContext } from '../ui/permission.ts';

interface Entry {
  to: string;
  label: string;
  icon: IconName;
  /** An operation that the page cannot do without. */
  needs?: string;
}

const ENTRIES: Entry[] = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/live', label: 'Live', icon: 'live' },
  { to: '/calls', label: 'Calls', icon: 'calls', needs: 'listCalls' },
  { to: '/agents', label: 'Agents', icon: 'agents', needs: 'listAgents' },
  { to: '/tests', label: 'Tests', icon: 'tests', needs: 'listTestRuns' },
  { to: '/analysis', label: 'Analysis', icon: 'analysis', needs: 'listExtractors' },
  { to: '/campaigns', label: 'Campaigns', icon: 'campaigns', needs: 'listCampaigns' },
  { to: '/policies', label: 'Policies', icon: 'policies', needs: 'listDialPolicies' },
  { to: '/numbers', label: 'Numbers', icon: 'numbers', needs: 'listNumbers' },
  { to: '/costs', label: 'Costs', icon: 'costs', needs: 'getCostReport' },
  { to: '/deliveries', label: 'Deliveries', icon: 'deliveries', needs: 'listCallbacks' },
  { to: '/settings', label: 'Settings', icon: 'settings', needs: 'getSettings' },
];

/** The list of pages. */
export function Navigation() {
  const [location] = useLocation();
  const open = useLiveCalls().ids.length;
  const may = useContext(PermissionContext);
  const entries = ENTRIES.filter(({ needs }) => needs === undefined || may(needs));
  return (
    <nav aria-label="Pages">
      <ul className="navigation">
        {entries.map(({ to, label, icon }) => (
          <li key={to}>
            <Link to={to} aria-current={isCurrent(to, location) ? 'page' : undefined}>
              <Icon name={icon} />
              {label}
              {to === '/live' && open > 0 && <span className="count">{open}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const isCurrent = (to: string, location: string) =>
  to === '/' ? location === '/' : location === to || location.startsWith(`${to}/`);

import { Link, useLocation } from 'wouter';
import { useLiveCalls } from '../data/live.tsx';
import { useIsAdmin } from '../data/session.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';

interface Entry {
  to: string;
  label: string;
  icon: IconName;
  isForAdmins?: true;
}

const ENTRIES: Entry[] = [
  { to: '/', label: 'Overview', icon: 'overview' },
  { to: '/live', label: 'Live', icon: 'live' },
  { to: '/calls', label: 'Calls', icon: 'calls' },
  { to: '/agents', label: 'Agents', icon: 'agents' },
  { to: '/numbers', label: 'Numbers', icon: 'numbers' },
  { to: '/costs', label: 'Costs', icon: 'costs' },
  { to: '/deliveries', label: 'Deliveries', icon: 'deliveries' },
  { to: '/settings', label: 'Settings', icon: 'settings', isForAdmins: true },
];

/** The list of pages. */
export function Navigation() {
  const [location] = useLocation();
  const open = useLiveCalls().ids.length;
  const isAdmin = useIsAdmin();
  const entries = ENTRIES.filter(({ isForAdmins }) => isAdmin || !isForAdmins);
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

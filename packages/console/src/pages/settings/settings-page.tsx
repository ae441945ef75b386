import { useIsAdmin } from '../../data/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { AuditLog } from './audit-log.tsx';
import { Configuration } from './configuration.tsx';
import { Doctor } from './doctor.tsx';
import { EraseUser } from './erase-user.tsx';
import { KeyList } from './key-list.tsx';

const TABS = [
  ['keys', 'API keys'],
  ['audit', 'Audit log'],
  ['configuration', 'Configuration'],
  ['doctor', 'Doctor'],
  ['erase', 'Erase a user'],
] as const;

/** API keys, the audit log, and settings of the whole service. */
export function SettingsPage() {
  const tab = useTab({ tabs: TABS });
  if (!useIsAdmin()) {
    return (
      <Page title="Settings">
        <Empty title="These settings need a service key" text="Keys, the audit log and erasures concern all users." />
      </Page>
    );
  }
  return (
    <Page title="Settings">
      <Tabs label="Settings" tabs={TABS} />
      {tab === 'keys' && <KeyList />}
      {tab === 'audit' && <AuditLog />}
      {tab === 'configuration' && <Configuration />}
      {tab === 'doctor' && <Doctor />}
      {tab === 'erase' && <EraseUser />}
    </Page>
  );
}

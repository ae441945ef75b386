import { useContext } from 'react';
import { useSession } from '../../data/session.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { PermissionContext } from '../../ui/permission.ts';
import { Tabs, useTab } from '../../ui/tabs.tsx';
import { OneUser } from '../users/one-user.tsx';
import { AuditLog } from './audit-log.tsx';
import { Configuration } from './configuration.tsx';
import { Doctor } from './doctor.tsx';
import { EraseUser } from './erase-user.tsx';
import { KeyList } from './key-list.tsx';
import { LegalHold } from './legal-hold.tsx';
import { StoredData } from './stored-data.tsx';
import { UserPrivacy } from './user-privacy.tsx';
import { WorkList } from './work.tsx';

const TABS = [
  ['keys', 'API keys', 'listApiKeys'],
  ['audit', 'Audit log', 'listAuditEntries'],
  ['configuration', 'Configuration', 'getSettings'],
  ['storage', 'Storage', 'getQuota'],
  ['work', 'Work', 'listWork'],
  ['doctor', 'Doctor', 'runDoctor'],
  ['erase', 'Erase a user', 'eraseUser'],
] as const;

/** API keys, the audit log, and settings of the whole service; of others, what is stored for the user. */
export function SettingsPage() {
  const may = useContext(PermissionContext);
  const tabs = TABS.filter(([, , operation]) => may(operation)).map(([id, label]) => [id, label] as const);
  const tab = useTab({ tabs });
  const { user } = useSession();
  if (!may('getSettings')) {
    return (
      <Page title="Settings">
        <Section title="Storage">
          <StoredData />
        </Section>
        <Empty
          title="The other settings need the role service or admin"
          text="Keys, the audit log and erasures concern all users."
        />
      </Page>
    );
  }
  return (
    <Page title="Settings">
      <Tabs label="Settings" tabs={tabs} />
      {tab === 'keys' && <KeyList />}
      {tab === 'audit' && <AuditLog />}
      {tab === 'configuration' && <Configuration />}
      {tab === 'storage' && (
        <OneUser why="What is stored is counted for each user.">
          <StoredData />
          {user !== null && <UserPrivacy key={user} user={user} />}
          {user !== null && <LegalHold user={user} />}
        </OneUser>
      )}
      {tab === 'work' && <WorkList />}
      {tab === 'doctor' && <Doctor />}
      {tab === 'erase' && <EraseUser />}
    </Page>
  );
}

import { usePolicies } from '../../data/policies.ts';
import { useOneUser } from '../../data/session.tsx';
import { useText } from '../../ui/address.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { PolicyForm } from './policy-form.tsx';
import { PolicyVersion } from './policy-version.tsx';

/** One policy; without a name, a new one. With `?version=` an earlier version, as decisions name them. */
export default function PolicyPage({ name }: { name?: string }) {
  const list = usePolicies();
  const user = useOneUser();
  const found = list.data?.policies.find((policy) => policy.name === name);
  const [asked] = useText('version');
  const version = /^[1-9]\d*$/.test(asked) ? Number(asked) : null;
  if (name && version !== null && list.data && version !== found?.version)
    return <PolicyVersion key={version} name={name} version={version} newest={found?.version ?? null} />;
  return (
    <Page
      title={name ?? 'A new policy'}
      text="Each change of its rules makes a new version, for all calls from then on. Versions never change."
      back={{ to: '/policies', label: 'Policies' }}
    >
      {list.isPending && <Skeleton lines={8} />}
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && name !== undefined && !found && (
        <Empty title="No policy has this name" to="/policies" action="All policies" />
      )}
      {list.data && (found || name === undefined) && (
        <PolicyForm key={user} stored={found} presets={list.data.presets} />
      )}
    </Page>
  );
}

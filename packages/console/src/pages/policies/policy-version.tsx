import { Link } from 'wouter';
import { usePolicyVersion } from '../../data/policies.ts';
import { notInForm, rulesText } from '../../data/rule-shape.ts';
import { Failure } from '../../ui/failure.tsx';
import { JsonEditor } from '../../ui/json-editor.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Time } from '../../ui/time.tsx';
import { RuleForm } from './rule-form.tsx';

interface Props {
  name: string;
  version: number;
  /** The version that applies now; null if the policy is not there any more. */
  newest: number | null;
}

/** An earlier version of a policy, by which calls were decided then. */
export function PolicyVersion({ name, version, newest }: Props) {
  const { data: policy, error, refetch } = usePolicyVersion(name, version);
  return (
    <Page
      title={`${name}, version ${version}`}
      text="Calls were decided by these rules while it was the newest version. Versions never change."
      back={{ to: '/policies', label: 'Policies' }}
    >
      {!policy && !error && <Skeleton lines={8} />}
      {error && <Failure error={error} onRetry={refetch} />}
      {policy && (
        <>
          <p className="notice">
            <span>
              <strong>These rules are no longer in force.</strong> Created <Time at={policy.created_at} />.{' '}
              {newest !== null && (
                <Link to={`/policies/of/${name}`} className="in-text">{`Version ${newest} applies`}</Link>
              )}
            </span>
          </p>
          <Rules rules={policy.rules} />
        </>
      )}
    </Page>
  );
}

const nothing = () => {};

function Rules({ rules }: { rules: Parameters<typeof RuleForm>[0]['rules'] }) {
  if (notInForm(rules) !== null)
    return <JsonEditor label="Rules" value={rulesText(rules)} onChange={nothing} isReadOnly />;
  return (
    <fieldset className="form plain-fieldset policy-form" disabled>
      <RuleForm rules={rules} onChange={nothing} />
    </fieldset>
  );
}

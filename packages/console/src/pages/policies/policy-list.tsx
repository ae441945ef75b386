import type { DialPolicy } from '@switchboard/client';
import { Link } from 'wouter';
import { sentencesOf } from '../../data/dial-rules.ts';
import { usePolicies } from '../../data/policies.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Badge } from '../../ui/status.tsx';
import { Time } from '../../ui/time.tsx';
import { WeekByPlace } from './week-by-place.tsx';

/** The user's policies, with their windows drawn on a week. */
export function PolicyList() {
  const list = usePolicies();
  const mayPut = useMay('putDialPolicy');
  const policies = list.data?.policies ?? [];
  return (
    <>
      {mayPut && policies.length > 0 && (
        <div className="actions">
          <Link to="/policies/new" className="button primary">
            Make a policy
          </Link>
        </div>
      )}
      {list.isPending && <Skeleton lines={6} />}
      {list.error && <Failure error={list.error} onRetry={list.refetch} />}
      {list.data && policies.length === 0 && (
        <Empty
          title="Everybody may be called, at any time"
          text="A policy sets hours by country and region, how often a number is called, and which calls need a consent."
          {...(mayPut && { to: '/policies/new', action: 'Make a policy' })}
        />
      )}
      <div className="policy-cards">
        {policies.map((policy) => (
          <PolicyCard key={policy.name} policy={policy} />
        ))}
      </div>
    </>
  );
}

function PolicyCard({ policy: { name, version, is_default, rules, created_at } }: { policy: DialPolicy }) {
  return (
    <article className="policy-card" aria-label={name}>
      <header className="policy-head">
        <h2>
          <Link to={`/policies/of/${name}`}>{name}</Link>
        </h2>
        {is_default && <Badge tone="good">Default</Badge>}
        <span className="muted small">
          Version {version}, <Time at={created_at} />
        </span>
      </header>
      <p className="muted small">
        {is_default
          ? 'For all agents whose configuration names no other policy.'
          : 'For agents that name it, as compliance.policy.'}
      </p>
      <WeekByPlace rules={rules} />
      <Sentences sentences={sentencesOf(rules)} />
    </article>
  );
}

function Sentences({ sentences }: { sentences: string[] }) {
  if (sentences.length === 0) return <p className="muted small">No limit on attempts, and no consent is needed.</p>;
  return (
    <ul className="policy-rules small">
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

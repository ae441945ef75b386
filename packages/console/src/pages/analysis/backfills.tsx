import { useExtractors } from '../../data/extractors.ts';
import { Empty } from '../../ui/empty.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useMay } from '../../ui/permission.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BackfillForm } from './backfill-form.tsx';
import { BackfillList } from './backfill-list.tsx';

/** Analyses of calls that were before the extractor, or its version. */
export function Backfills() {
  const extractors = useExtractors();
  const mayStart = useMay('backfillAnalyses');
  if (extractors.isPending) return <Skeleton />;
  if (!extractors.data) return <Failure error={extractors.error} onRetry={extractors.refetch} />;
  return (
    <>
      {extractors.error && <Failure error={extractors.error} onRetry={extractors.refetch} />}
      {extractors.data.length === 0 && (
        <Empty
          title="There is nothing to ask yet"
          text="Make an extractor first. Then it can read calls that have ended before."
          to="/analysis"
          action="Go to the extractors"
        />
      )}
      {extractors.data.length > 0 && mayStart && <BackfillForm extractors={extractors.data} />}
      <BackfillList />
    </>
  );
}

import { Button } from './button.tsx';

interface Props {
  query: {
    hasNextPage: boolean;
    isFetching: boolean;
    isFetchingNextPage: boolean;
    refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** A button for the next page of a list, if there is one. A refresh that is under way is finished first. */
export function More({ query }: Props) {
  if (!query.hasNextPage) return null;
  const load = async () => {
    if (query.isFetching) await query.refetch({ cancelRefetch: false });
    await query.fetchNextPage();
  };
  return (
    <div className="more">
      <Button onClick={() => void load()} isBusy={query.isFetchingNextPage}>
        Show more
      </Button>
    </div>
  );
}

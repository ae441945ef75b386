import { Button } from './button.tsx';

interface Props {
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** A button for the next page of a list, if there is one. */
export function More({ query }: Props) {
  if (!query.hasNextPage) return null;
  return (
    <div className="more">
      <Button onClick={() => query.fetchNextPage()} isBusy={query.isFetchingNextPage}>
        Show more
      </Button>
    </div>
  );
}

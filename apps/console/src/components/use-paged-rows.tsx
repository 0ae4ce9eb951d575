import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { texts } from '../text/english.ts';

interface Pages<Row> {
  readonly pages: readonly { readonly items: readonly Row[] }[];
}

/** The rows of all pages that were read, and how to read on. */
export function usePagedRows<Row>({
  data,
  hasNextPage,
  isFetchingNextPage,
  fetchNextPage,
}: UseInfiniteQueryResult<Pages<Row>, Error>) {
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const onEnd = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined;
  const footer = isFetchingNextPage ? (
    <p role="status" className="muted">
      {texts.loading}
    </p>
  ) : undefined;
  return { rows, onEnd, footer };
}

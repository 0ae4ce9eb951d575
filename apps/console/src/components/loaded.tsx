import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { Empty, Loading, ProblemNotice } from './notice.tsx';

type ReadQuery<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;

interface LoadedProps<Data> {
  readonly query: ReadQuery<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query's data, its error with a retry button, or a loading message. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  return (
    <>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined ? null : children(data)}
    </>
  );
}

interface ListCardProps<Item> {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly query: ReadQuery<readonly Item[]>;
  readonly none: string;
  readonly noneHint: string;
  /** Renders one item; sets its `key`. */
  readonly item: (item: Item) => ReactNode;
  readonly children?: ReactNode;
}

export function ListCard<Item>(props: ListCardProps<Item>) {
  const { title, actions, query, none, noneHint, item, children } = props;
  return (
    <Card title={title} isFlush actions={actions}>
      {children}
      <Loaded query={query}>
        {(items) =>
          items.length === 0 ? <Empty title={none}>{noneHint}</Empty> : <ul>{items.map(item)}</ul>
        }
      </Loaded>
    </Card>
  );
}

interface PagedListCardProps<Item> {
  readonly title: string;
  readonly list: UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly Item[] }>>;
  /** Shown if there are no items; if omitted, the whole card is hidden instead. */
  readonly empty?: ReactNode;
  /** Renders one item; sets its `key`. */
  readonly item: (item: Item) => ReactNode;
}

export function PagedListCard<Item>({ title, list, empty, item }: PagedListCardProps<Item>) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (empty === undefined && error === null && items.length === 0) return null;
  return (
    <Card title={title} isFlush>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {data !== undefined && items.length === 0 ? empty : null}
      <ul>{items.map(item)}</ul>
      {hasNextPage ? (
        <Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {texts.actions.more}
        </Button>
      ) : null}
    </Card>
  );
}

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from './card.tsx';
import { Empty, Loading, ProblemNotice } from './notice.tsx';

type ReadQuery<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;

interface LoadedProps<Data> {
  readonly query: ReadQuery<Data>;
  readonly children: (data: Data) => ReactNode;
}

/** Shows a query's data, its error with a button to try again, or that it loads. */
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
  /** Draws one item, with its key. */
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

import {
  type QueryKey,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import { type ComponentProps, Fragment, type ReactNode, useEffect, useId } from 'react';
import type { PagedQuery } from '../api/queries.ts';
import { useSession } from '../session/session.tsx';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { DateTime } from './date-time.tsx';
import { ConfirmButton } from './dialog.tsx';
import styles from './layout.module.css';
import { Empty, Loading, ProblemNotice, type Tone } from './notice.tsx';

interface PageProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page whose heading is also the document's title. */
export function Page({ title, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.product}`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1>{title}</h1>
          {lead === undefined ? null : <p className="muted">{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface CardProps {
  readonly title?: string;
  /** Buttons and links beside the title. */
  readonly actions?: ReactNode;
  /** Without padding, for a table or a list that reaches the edges. */
  readonly isFlush?: boolean;
  readonly children: ReactNode;
}

export function Card({ title, actions, isFlush = false, children }: CardProps) {
  const titleId = useId();
  return (
    <section className={styles.card} aria-labelledby={title === undefined ? undefined : titleId}>
      {title === undefined && actions === undefined ? null : (
        <header className={styles.cardHeader}>
          <h2 id={titleId}>{title}</h2>
          <div className={styles.cardActions}>{actions}</div>
        </header>
      )}
      <div className={isFlush ? '' : styles.body}>{children}</div>
    </section>
  );
}

interface ItemProps {
  readonly title: ReactNode;
  /** Shown only to people who may change the item. */
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

export function Item({ title, actions, children }: ItemProps) {
  const { may } = useSession();
  return (
    <li className={styles.item}>
      <div className={styles.head}>
        <span className={styles.title}>{title}</span>
        {may('operator') ? <span className={styles.itemActions}>{actions}</span> : null}
      </div>
      {children}
    </li>
  );
}

export function Facts({ items }: { readonly items: Readonly<Record<string, ReactNode>> }) {
  return (
    <dl className={styles.facts}>
      {Object.entries(items)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <Fragment key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
    </dl>
  );
}

interface LoadedProps<Data, Key extends QueryKey> {
  readonly query: UseQueryOptions<Data, Error, Data, Key>;
  readonly children: (data: Data) => ReactNode;
}

/** Reads a query, and shows its data, its error with a retry button, or a loading message. */
export function Loaded<Data, Key extends QueryKey>({ query, children }: LoadedProps<Data, Key>) {
  const { data, error, refetch } = useQuery(query);
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
  /** Shown only to people who may change the list. */
  readonly actions?: ReactNode;
  readonly query: UseQueryOptions<Item[]>;
  readonly none: string;
  readonly noneHint: string;
  /** Renders one item; sets its `key`. */
  readonly item: (item: Item) => ReactNode;
  readonly children?: ReactNode;
}

export function ListCard<Item>(props: ListCardProps<Item>) {
  const { title, actions, query, none, noneHint, item, children } = props;
  const { may } = useSession();
  return (
    <Card title={title} isFlush actions={may('operator') ? actions : undefined}>
      {children}
      <Loaded query={query}>
        {(items) =>
          items.length === 0 ? <Empty title={none}>{noneHint}</Empty> : <ul>{items.map(item)}</ul>
        }
      </Loaded>
    </Card>
  );
}

interface MoreButtonProps extends Pick<ComponentProps<typeof Button>, 'size'> {
  readonly list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>;
}

/** Reads a list's next page, if there is one. */
export function MoreButton({ list, size }: MoreButtonProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button size={size} isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
      {texts.actions.more}
    </Button>
  );
}

interface PagedListCardProps<Item> {
  readonly title: string;
  readonly query: PagedQuery<Item>;
  /** Shown if there are no items; if omitted, the whole card is hidden instead. */
  readonly empty?: ReactNode;
  /** Renders one item; sets its `key`. */
  readonly item: (item: Item) => ReactNode;
}

export function PagedListCard<Item>({ title, query, empty, item }: PagedListCardProps<Item>) {
  const list = useInfiniteQuery(query);
  const { data, error, refetch } = list;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (empty === undefined && error === null && items.length === 0) return null;
  return (
    <Card title={title} isFlush>
      <ProblemNotice error={error} retry={() => void refetch()} />
      {data !== undefined && items.length === 0 ? empty : null}
      <ul>{items.map(item)}</ul>
      <MoreButton list={list} />
    </Card>
  );
}

interface Key {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface KeyCardProps<Kind extends Key> extends Omit<ListCardProps<Kind>, 'item'> {
  readonly revokeLead: string;
  readonly revoke: (id: string) => Promise<unknown>;
  /** Identifies a key, in addition to its hint. */
  readonly describe?: (key: Kind) => ReactNode;
}

export function KeyCard<Kind extends Key>(props: KeyCardProps<Kind>) {
  const { revoke, revokeLead, describe, ...card } = props;
  const { may } = useSession();
  return (
    <ListCard
      {...card}
      item={(key) => (
        <li key={key.id} className={styles.key}>
          <div className={styles.about}>
            {describe?.(key)}
            <p className={styles.use}>
              <code>{key.hint}</code>
              <span className="muted">
                {texts.fields.created} <DateTime value={key.createdAt} /> · {texts.fields.lastUsed}{' '}
                <DateTime value={key.lastUsedAt} style="relative" />
              </span>
            </p>
          </div>
          {may('operator') ? (
            <ConfirmButton
              label={texts.keys.revoke}
              size="small"
              aria-label={`Revoke ${key.hint}`}
              lead={revokeLead}
              isDangerous
              change={() => revoke(key.id)}
              done={texts.keys.revoked}
            />
          ) : null}
        </li>
      )}
    />
  );
}

export function Timeline({ children }: { readonly children: ReactNode }) {
  return <ol className={styles.timeline}>{children}</ol>;
}

interface TimelineItemProps {
  readonly tone?: Tone;
  /** Kept on one line, where there is room. */
  readonly line: ReactNode;
  readonly children?: ReactNode;
}

export function TimelineItem({ tone = 'neutral', line, children }: TimelineItemProps) {
  return (
    <li className={styles[tone]}>
      <p className={styles.line}>{line}</p>
      {children}
    </li>
  );
}

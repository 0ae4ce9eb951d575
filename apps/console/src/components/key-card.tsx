import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { texts } from '../text/english.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { DateTime } from './date-time.tsx';
import styles from './key-card.module.css';
import { ListCard } from './loaded.tsx';

interface Key {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface KeyCardProps<Kind extends Key> {
  readonly words: {
    readonly title: string;
    readonly none: string;
    readonly noneHint: string;
    readonly revokeLead: string;
  };
  readonly mayChange: boolean;
  readonly query: UseQueryOptions<Kind[], Error, Kind[], string[]>;
  readonly revoke: (id: string) => Promise<unknown>;
  readonly action: ReactNode;
  /** Above the list, such as a new key's secret. */
  readonly children?: ReactNode;
  /** Identifies a key, in addition to its hint. */
  readonly describe?: (key: Kind) => ReactNode;
}

export function KeyCard<Kind extends Key>(props: KeyCardProps<Kind>) {
  const { words, mayChange, query, revoke, action, children, describe } = props;
  const { title, none, noneHint, revokeLead } = words;
  return (
    <ListCard
      title={title}
      actions={mayChange ? action : undefined}
      query={useQuery(query)}
      none={none}
      noneHint={noneHint}
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
          {mayChange ? (
            <ConfirmButton
              label={texts.keys.revoke}
              size="small"
              aria-label={texts.keys.revokeOf(key.hint)}
              lead={revokeLead}
              isDangerous
              change={() => revoke(key.id)}
              queryKey={query.queryKey}
              done={texts.keys.revoked}
            />
          ) : null}
        </li>
      )}
    >
      {children}
    </ListCard>
  );
}

import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DateTime } from './date-time.tsx';
import styles from './key-card.module.css';
import { Empty, Loading, ProblemNotice } from './notice.tsx';
import { useChange } from './use-change.ts';

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
  /** The way to add one. */
  readonly action: ReactNode;
  /** Shown above the list, such as a new key's secret. */
  readonly children?: ReactNode;
  /** Tells a key of this kind from others, besides its hint. */
  readonly describe?: (key: Kind) => ReactNode;
}

/** Keys of one kind: those there are, a way to add one, and to revoke one. */
export function KeyCard<Kind extends Key>(props: KeyCardProps<Kind>) {
  const { words, mayChange, query, revoke, action, children, describe } = props;
  const { data: keys, error, refetch } = useQuery(query);
  const [chosen, setChosen] = useState<string>();
  const revoking = useChange({
    change: async () => {
      if (chosen !== undefined) await revoke(chosen);
    },
    queryKey: query.queryKey,
    done: texts.keys.revoked,
  });
  return (
    <Card title={words.title} isFlush actions={mayChange ? action : undefined}>
      {children}
      {error === null ? null : <ProblemNotice error={error} retry={() => void refetch()} />}
      {keys === undefined && error === null ? <Loading /> : null}
      {keys?.length === 0 ? <Empty title={words.none}>{words.noneHint}</Empty> : null}
      <ul>
        {keys?.map((key) => (
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
              <Button
                size="small"
                look="danger"
                aria-label={texts.keys.revokeOf(key.hint)}
                onClick={() => setChosen(key.id)}
              >
                {texts.keys.revoke}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
      <ConfirmDialog
        isOpen={chosen !== undefined}
        onClose={() => setChosen(undefined)}
        title={texts.keys.revoke}
        lead={words.revokeLead}
        confirm={texts.keys.revoke}
        isDangerous
        action={revoking}
      />
    </Card>
  );
}

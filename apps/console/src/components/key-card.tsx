import { type QueryKey, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { texts } from '../text/english.ts';
import { Button } from './button.tsx';
import { Card } from './card.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { DateTime } from './date-time.tsx';
import styles from './key-card.module.css';
import { Empty, Loading, ProblemNotice } from './notice.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useToast } from './toasts.tsx';

interface Key {
  readonly id: string;
  readonly hint: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface KeyCardProps {
  readonly words: {
    readonly title: string;
    readonly add: string;
    readonly secret: string;
    readonly none: string;
    readonly noneHint: string;
    readonly revokeLead: string;
  };
  readonly mayChange: boolean;
  readonly query: { readonly queryKey: QueryKey; readonly queryFn: () => Promise<readonly Key[]> };
  /** @returns the new secret */
  readonly add: () => Promise<string>;
  readonly revoke: (id: string) => Promise<unknown>;
}

/** Keys of one kind: those there are, a way to add one, shown once, and to revoke one. */
export function KeyCard({ words, mayChange, query, add, revoke }: KeyCardProps) {
  const { data: keys, error, refetch } = useQuery(query);
  const queries = useQueryClient();
  const toast = useToast();
  const [chosen, setChosen] = useState<string>();
  const readAgain = () => queries.invalidateQueries({ queryKey: query.queryKey });
  const adding = useMutation({ mutationFn: add, onSuccess: readAgain });
  const revoking = useMutation({
    mutationFn: async () => {
      if (chosen !== undefined) await revoke(chosen);
    },
    async onSuccess() {
      await readAgain();
      toast(texts.keys.revoked);
    },
  });
  const problem = error ?? adding.error;
  return (
    <Card
      title={words.title}
      isFlush
      actions={
        mayChange ? (
          <Button size="small" isBusy={adding.isPending} onClick={() => adding.mutate()}>
            {words.add}
          </Button>
        ) : undefined
      }
    >
      {adding.data === undefined ? null : <SecretOnce secret={adding.data} label={words.secret} />}
      {problem === null ? null : <ProblemNotice error={problem} retry={() => void refetch()} />}
      {keys === undefined && error === null ? <Loading /> : null}
      {keys?.length === 0 ? <Empty title={words.none}>{words.noneHint}</Empty> : null}
      <ul>
        {keys?.map(({ id, hint, createdAt, lastUsedAt }) => (
          <li key={id} className={styles.key}>
            <code>{hint}</code>
            <span className="muted">
              {texts.fields.created} <DateTime value={createdAt} /> · {texts.fields.lastUsed}{' '}
              <DateTime value={lastUsedAt} style="relative" />
            </span>
            {mayChange ? (
              <Button size="small" look="danger" onClick={() => setChosen(id)}>
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

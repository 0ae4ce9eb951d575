import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { type Period, periods, sinceOf } from '../../api/periods.ts';
import { recoveryQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ChoiceField } from '../../components/field.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import styles from './recover-dialog.module.css';

interface RecoverDialogProps {
  readonly onClose: () => void;
  readonly pool: string | undefined;
  readonly destination: string | undefined;
}

export function RecoverDialog({ onClose, pool, destination }: RecoverDialogProps) {
  const queries = useQueryClient();
  const [period, setPeriod] = useState<Period>('24h');
  const start = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      call('POST', '/v1/admin/deliveries/recover', {
        body: {
          ...(pool === undefined ? {} : { pool }),
          ...(destination === undefined ? {} : { destination }),
          since: sinceOf(period) ?? new Date(0).toISOString(),
        },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={texts.recover.title}
      lead={texts.recover.lead(pool, destination !== undefined)}
      closeLabel={start.isSuccess ? texts.actions.close : texts.actions.cancel}
      isBusy={start.isPending}
      action={
        start.isSuccess ? null : (
          <Button look="primary" isBusy={start.isPending} onClick={() => start.mutate()}>
            {texts.recover.confirm}
          </Button>
        )
      }
    >
      {start.isSuccess ? (
        <RecoveryProgress id={start.data.recoveryId} />
      ) : (
        <ChoiceField
          label={texts.recover.since}
          value={period}
          choices={periods.map((one) => [one, texts.periods[one]] as const)}
          onChange={setPeriod}
        />
      )}
      <ProblemNotice error={start.error} />
    </Dialog>
  );
}

function RecoveryProgress({ id }: { readonly id: string }) {
  const { data, error } = useQuery(recoveryQuery(id));
  if (error !== null) return <ProblemNotice error={error} />;
  if (data === undefined) return <p role="status">{texts.loading}</p>;
  const { state, recovered, total } = data;
  return (
    <div role="status" className={styles.progress}>
      <progress value={recovered} max={Math.max(total, 1)} aria-label={texts.recover.title} />
      <p>{texts.recover.progress(recovered, total)}</p>
      {state === 'done' ? <Notice tone="good">{texts.recover.done}</Notice> : null}
    </div>
  );
}

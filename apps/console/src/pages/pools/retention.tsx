import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldErrorOf } from '../../api/problem.ts';
import { dataOf, poolsQuery } from '../../api/queries.ts';
import type { Pool } from '../../api/resources.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { ProblemNotice } from '../../components/notice.tsx';
import { useChange } from '../../components/use-change.ts';
import { useSession } from '../../session/session.tsx';
import { texts } from '../../text/english.ts';

/** For how long a pool keeps its waivers. */
export function Retention({ pool }: { readonly pool: Pool }) {
  const { may } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card
      title={texts.retention.title}
      actions={
        may('operator') ? <Button onClick={() => setIsOpen(true)}>{texts.retention.change}</Button> : null
      }
    >
      <p>{texts.retention.of(pool.retention.waiversDays)}</p>
      {isOpen ? <ChangeRetention pool={pool} onClose={() => setIsOpen(false)} /> : null}
    </Card>
  );
}

function ChangeRetention({ pool, onClose }: { readonly pool: Pool; readonly onClose: () => void }) {
  const { waiversDays } = pool.retention;
  const [days, setDays] = useState(waiversDays === null ? '' : String(waiversDays));
  const change = useChange({
    change: () =>
      dataOf(
        api.PUT('/v1/admin/pools/{pool}', {
          params: { path: { pool: pool.id } },
          body: { name: pool.name, retention: { waiversDays: days === '' ? null : Number(days) } },
        }),
      ),
    queryKey: poolsQuery.queryKey,
    done: texts.retention.changed,
  });
  const error = fieldErrorOf(change.error, 'retention.waiversDays');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined, { onSuccess: onClose });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={texts.retention.title}
      lead={texts.retention.lead}
      footer={
        <>
          <Button onClick={onClose}>{texts.actions.cancel}</Button>
          <Button look="primary" type="submit" form="retention" isBusy={change.isPending}>
            {texts.actions.save}
          </Button>
        </>
      }
    >
      <form id="retention" className={styles.form} onSubmit={submit}>
        <TextField
          label={texts.retention.days}
          hint={texts.retention.daysHint}
          type="number"
          min={1}
          max={36_500}
          step={1}
          value={days}
          error={error}
          onChange={setDays}
        />
        {change.error === null || error !== undefined ? null : <ProblemNotice error={change.error} />}
      </form>
    </Dialog>
  );
}

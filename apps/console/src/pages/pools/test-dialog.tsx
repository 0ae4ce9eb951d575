import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { bookingSystemsQuery, dataOf } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { ReadSteps } from '../../components/read-steps.tsx';
import { texts } from '../../text/english.ts';

interface TestDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly pool: string;
  readonly bookingSystem: string;
}

/** Reads one booking now or checks the account, and shows step by step what came of it. */
export function TestDialog({ isOpen, onClose, pool, bookingSystem }: TestDialogProps) {
  const [bookingId, setBookingId] = useState('');
  const { data: systems = [] } = useQuery(bookingSystemsQuery);
  const system = systems.find(({ installName }) => installName === bookingSystem);
  const checksAccess = system?.capabilities.checksAccess === true;
  const test = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/v1/admin/pools/{pool}/installations/{booking_system}/test', {
          params: { path: { pool, booking_system: bookingSystem } },
          body: bookingId.trim() === '' ? {} : { bookingId: bookingId.trim() },
        }),
      ),
  });
  const close = () => {
    test.reset();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.test.title(bookingSystem)}
      isWide
      lead={checksAccess ? texts.test.leadWithAccount : texts.test.lead}
      footer={
        <>
          <Button onClick={close}>{texts.actions.close}</Button>
          <Button type="submit" form="test-installation" look="primary" isBusy={test.isPending}>
            {texts.actions.test}
          </Button>
        </>
      }
    >
      <form id="test-installation" className={styles.form} onSubmit={submit}>
        <TextField
          label={texts.bookings.id}
          value={bookingId}
          onChange={setBookingId}
          required={!checksAccess}
          maxLength={256}
        />
      </form>
      {test.error === null ? null : <ProblemNotice error={test.error} />}
      {test.data === undefined ? null : test.data.ok ? (
        <Notice tone="good" title={texts.test.works(test.data.durationMs)}>
          {texts.bookings.warnings(test.data.warnings.length)}
        </Notice>
      ) : (
        <Notice tone="bad" title={texts.test.failed(test.data.durationMs)}>
          {test.data.message}
        </Notice>
      )}
      {test.data === undefined ? null : <ReadSteps steps={test.data.steps} />}
    </Dialog>
  );
}

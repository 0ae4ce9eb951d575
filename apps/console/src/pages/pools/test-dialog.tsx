import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { bookingSystemsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import styles from '../../components/form.module.css';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { ReadSteps } from '../../components/read-steps.tsx';
import { texts } from '../../text/english.ts';

export interface InstallationDialogProps {
  readonly onClose: () => void;
  readonly pool: string;
  readonly bookingSystem: string;
}

/** Reads one booking or checks the account, and shows each step with its result. */
export function TestDialog({ onClose, pool, bookingSystem }: InstallationDialogProps) {
  const [bookingId, setBookingId] = useState('');
  const { data: systems = [] } = useQuery(bookingSystemsQuery);
  const system = systems.find(({ installName }) => installName === bookingSystem);
  const checksAccess = system?.capabilities.checksAccess === true;
  const test = useMutation({
    mutationFn: () =>
      call('POST', '/v1/admin/pools/:pool/installations/:booking_system/test', {
        params: { pool, booking_system: bookingSystem },
        body: bookingId.trim() === '' ? {} : { bookingId: bookingId.trim() },
      }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate();
  };
  return (
    <Dialog
      onClose={onClose}
      title={texts.test.title(bookingSystem)}
      isWide
      lead={checksAccess ? texts.test.leadWithAccount : texts.test.lead}
      action={
        <Button type="submit" form="test-installation" look="primary" isBusy={test.isPending}>
          {texts.actions.test}
        </Button>
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
      <ProblemNotice error={test.error} />
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

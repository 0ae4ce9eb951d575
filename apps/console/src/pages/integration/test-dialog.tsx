import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { bookingSystemsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { handleSubmit, TextField } from '../../components/field.tsx';
import { Notice, ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';
import { count } from '../../text/formats.ts';
import { ReadSteps } from './read-steps.tsx';

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
  return (
    <Dialog
      onClose={onClose}
      title={`Test ${bookingSystem}`}
      isWide
      lead={
        checksAccess
          ? 'Reads one booking now, or checks the account if no id is given, and shows each step and its result. Nothing is written.'
          : 'Reads one booking now and shows each step and its result. Nothing is written.'
      }
      action={
        <Button type="submit" form="test-installation" look="primary" isBusy={test.isPending}>
          {texts.actions.test}
        </Button>
      }
    >
      <form id="test-installation" className="form" onSubmit={handleSubmit(test.mutate)}>
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
        <Notice tone="good" title={`It works: read in ${count(test.data.durationMs)} ms`}>
          {texts.bookings.warnings(test.data.warnings.length)}
        </Notice>
      ) : (
        <Notice tone="bad" title={`It failed after ${count(test.data.durationMs)} ms`}>
          {test.data.message}
        </Notice>
      )}
      {test.data === undefined ? null : <ReadSteps steps={test.data.steps} />}
    </Dialog>
  );
}

export function AuthorizeDialog({ onClose, pool, bookingSystem }: InstallationDialogProps) {
  const make = useMutation({
    networkMode: 'always',
    mutationFn: () =>
      call('POST', '/v1/admin/pools/:pool/installations/:booking_system/authorize', {
        params: { pool, booking_system: bookingSystem },
      }),
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Authorize ${bookingSystem}`}
      lead="Someone with access to the account logs in to the booking system and grants access there. The link works once, within 15 minutes, in this browser only."
      isBusy={make.isPending}
      action={
        make.data === undefined ? (
          <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate()}>
            Create link
          </Button>
        ) : null
      }
    >
      <ProblemNotice error={make.error} />
      {make.data === undefined ? null : (
        <a href={make.data.url} target="_blank" rel="noreferrer">
          Open
        </a>
      )}
    </Dialog>
  );
}

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { dataOf, firstStepsQuery } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import form from '../../components/form.module.css';
import { ProblemNotice } from '../../components/notice.tsx';
import { texts } from '../../text/english.ts';

/** A booking that was read. */
export interface ReadBooking {
  readonly id: string;
  readonly guests: number;
}

interface ReadBookingProps {
  readonly pool: string;
  readonly onRead: (booking: ReadBooking) => void;
}

/** Reads a booking by its id, or says why it could not be read. */
export function ReadFirstBooking({ pool, onRead }: ReadBookingProps) {
  const [id, setId] = useState('');
  const queries = useQueryClient();
  const read = useMutation({
    mutationFn: () =>
      dataOf(
        api.GET('/v1/pools/{pool}/bookings/{booking_id}', {
          params: { path: { pool, booking_id: id.trim() } },
        }),
      ),
    async onSuccess({ guests }) {
      onRead({ id: id.trim(), guests: guests?.length ?? 0 });
      await queries.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    read.mutate();
  };
  return (
    <Card>
      <form className={form.form} onSubmit={submit}>
        <TextField label={texts.bookings.id} required maxLength={256} value={id} onChange={setId} />
        {read.error === null ? null : <ProblemNotice error={read.error} />}
        <p>
          <Button type="submit" look="primary" isBusy={read.isPending}>
            {texts.bookings.read}
          </Button>
        </p>
      </form>
    </Card>
  );
}

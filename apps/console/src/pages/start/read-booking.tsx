import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { firstStepsQuery } from '../../api/queries.ts';
import { Card } from '../../components/card.tsx';
import { TextField } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { texts } from '../../text/english.ts';

export interface ReadBooking {
  readonly id: string;
  readonly guests: number;
}

interface ReadBookingProps {
  readonly pool: string;
  readonly onRead: (booking: ReadBooking) => void;
}

/** Reads a booking by its id, or shows why it could not be read. */
export function ReadFirstBooking({ pool, onRead }: ReadBookingProps) {
  const [id, setId] = useState('');
  const queries = useQueryClient();
  const read = useMutation({
    mutationFn: () =>
      call('GET', '/v1/pools/:pool/bookings/:booking_id', {
        params: { pool, booking_id: id.trim() },
      }),
    async onSuccess({ guests }) {
      onRead({ id: id.trim(), guests: guests?.length ?? 0 });
      await queries.invalidateQueries({ queryKey: firstStepsQuery.queryKey });
    },
  });
  return (
    <Card>
      <Form sending={read} submitLabel={texts.bookings.read}>
        <TextField label={texts.bookings.id} required maxLength={256} value={id} onChange={setId} />
      </Form>
    </Card>
  );
}

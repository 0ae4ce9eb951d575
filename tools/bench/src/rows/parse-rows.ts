import { readBooking } from '@waiver-service/plugin-kit';
import type { Contest, Measured, Row } from '../harness/row.ts';
import { bookingText } from '../receivers/booking-text.ts';

const booksPerRun = 60_000;

function timed(text: string, count: number, read: (body: unknown) => unknown): Measured {
  let kept: unknown;
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) kept = read(JSON.parse(text));
  const milliseconds = performance.now() - startedAt;
  if (kept === undefined) throw new Error('nothing was read');
  return { value: (milliseconds * 1000) / count };
}

const asItIs = (body: unknown) => body;

function parseRow(form: 'current' | 'legacy'): Row {
  return {
    name: `parse-${form}`,
    subject: 'parse, check, normalize',
    base: 'JSON.parse',
    unit: 'µs',
    async prepare(ground): Promise<Contest> {
      const text = bookingText('booking-1', form);
      const count = ground.size(booksPerRun);
      const sides = {
        subject: async () => timed(text, count, readBooking),
        base: async () => timed(text, count, asItIs),
      };
      await sides.subject();
      await sides.base();
      return sides;
    },
  };
}

/** Parsing a booking's text into the service's form, against only parsing the JSON. */
export const parseRows: readonly Row[] = [parseRow('current'), parseRow('legacy')];

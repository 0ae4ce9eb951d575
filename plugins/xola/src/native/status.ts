import type { BookingSystemManifest, StatusGroup } from '@waiver-service/core';
import { textOf } from '@waiver-service/plugin-kit';

const firstConfirmed = 200;
const firstUnreserved = 300;

const confirmed = Array.from(
  { length: firstUnreserved - firstConfirmed },
  (_, step): [string, StatusGroup] => [String(firstConfirmed + step), 'active'],
);

/**
 * What Xola's statuses mean: pending, minimum not reached, on hold, confirmed (200 to 299), cancelled. Every other one,
 * 300 and above among them, holds no place.
 */
export const statusMap: NonNullable<BookingSystemManifest['statusMap']> = {
  100: 'other',
  101: 'other',
  103: 'other',
  ...Object.fromEntries(confirmed),
  700: 'cancelled',
};

/** Whether an order of this status was cancelled. */
export const isCancelled = (status: string | undefined): boolean =>
  status !== undefined && statusMap[status] === 'cancelled';

/** Whether a status holds a place: those from 300 up do not. One that is missing or no number is given the benefit. */
export const holdsPlace = (status: unknown): boolean => !(Number(textOf(status)) >= firstUnreserved);

/** The status of an order by those of its items: a confirmed one before all others, else the first. */
export function statusOfItems(statuses: readonly unknown[]): string | undefined {
  const texts = statuses.map(textOf).filter((status) => status !== undefined);
  return texts.find((status) => statusMap[status] === 'active') ?? texts[0];
}

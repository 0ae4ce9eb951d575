import type { BookingSystemManifest, StatusGroup } from '@waiver-service/core';
import { textOf } from '@waiver-service/plugin-kit';

const firstConfirmed = 200;
const firstUnreserved = 300;

const confirmed = Array.from(
  { length: firstUnreserved - firstConfirmed },
  (_, step): [string, StatusGroup] => [String(firstConfirmed + step), 'active'],
);

/** Xola's statuses: pending, minimum not reached, on hold, confirmed (200 to 299), cancelled. */
export const statusMap: NonNullable<BookingSystemManifest['statusMap']> = {
  100: 'other',
  101: 'other',
  103: 'other',
  ...Object.fromEntries(confirmed),
  700: 'cancelled',
};

export const isCancelled = (status: string | undefined): boolean =>
  status !== undefined && statusMap[status] === 'cancelled';

/** Whether an item with this status holds a place. A missing or non-numeric status counts as holding one. */
export const holdsPlace = (status: unknown): boolean => !(Number(textOf(status)) >= firstUnreserved);

/** Whether a status is one that Xola documents. Public orders also have a word of their own there, such as `committed`. */
export const isKnown = (status: string | undefined): boolean =>
  status !== undefined && Object.hasOwn(statusMap, status);

/** The items' status if all were cancelled one by one; `undefined` if any was not, or if there are none. */
export function statusOfCancelledItems(statuses: readonly unknown[]): string | undefined {
  const texts = statuses.map(textOf);
  return texts.every(isCancelled) ? texts[0] : undefined;
}

/**
 * The status of an order, derived from its items: a confirmed one if any item has one, else the first that is not
 * cancelled, else the first.
 */
export function statusOfItems(statuses: readonly unknown[]): string | undefined {
  const texts = statuses.map(textOf).filter((status) => status !== undefined);
  return (
    texts.find((status) => statusMap[status] === 'active') ??
    texts.find((status) => !isCancelled(status)) ??
    texts[0]
  );
}

import type { ListedObject } from '@waiver-service/plugin-kit';

/** What the shapes of a booking say, wherever each of them keeps it; nothing is read yet. */
export interface CheckfrontBooking {
  readonly code: unknown;
  readonly status: unknown;
  readonly contact: Readonly<Record<'name' | 'email' | 'phoneNumber', unknown>>;
  /** An item's fields have the same names in every shape. */
  readonly items: readonly ListedObject[];
}

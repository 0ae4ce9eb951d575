import type { JsonObject, ListedObject } from '@waiver-service/plugin-kit';

/** One line of a booking. Its other fields have the same names in every shape. */
export interface CheckfrontLine extends ListedObject {
  /** `2`, or `2.1` for what was added to line 2. */
  readonly lineId: string | undefined;
  readonly status: unknown;
}

/** What the shapes of a booking say, wherever each of them keeps it; nothing is read yet. */
export interface CheckfrontBooking {
  readonly code: unknown;
  /** The booking's other id, a number. */
  readonly number: unknown;
  readonly status: unknown;
  readonly contact: Readonly<Record<'name' | 'email' | 'phoneNumber', unknown>>;
  /** The booking itself, which may have the times that its lines lack, and the account's own fields. */
  readonly whole: JsonObject;
  readonly lines: readonly CheckfrontLine[];
}

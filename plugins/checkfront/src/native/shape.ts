import type { JsonObject, ListedObject } from '@waiver-service/plugin-kit';

/** A line of a booking. The fields of `value` have the same names in every shape. */
export interface CheckfrontLine extends ListedObject {
  /** `2`, or `2.1` for an add-on of line 2. */
  readonly lineId: string | undefined;
  readonly status: unknown;
}

/** A booking's raw values, the same for all of Checkfront's shapes. */
export interface CheckfrontBooking {
  readonly code: unknown;
  /** The booking's other id, a number. */
  readonly number: unknown;
  readonly status: unknown;
  readonly contact: Readonly<Record<'name' | 'email' | 'phoneNumber', unknown>>;
  /** The complete booking: it may have times that its lines lack, and the account's custom fields. */
  readonly whole: JsonObject;
  readonly lines: readonly CheckfrontLine[];
}

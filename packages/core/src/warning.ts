/** The deviations from the contract that reading a response tolerates, and the parts of a waiver that were not written. */
export const warningCodes = [
  'both_forms',
  'null_as_absent',
  'number_as_string',
  'string_as_number',
  'date_time_rewritten',
  'guest_without_name',
  'session_incomplete',
  'contact_incomplete',
  'value_ignored',
  'item_skipped',
  'count_disagrees',
  'id_differs',
  'waiver_partly_written',
  'warnings_left_out',
] as const;

/** One of {@link warningCodes}. */
export type WarningCode = (typeof warningCodes)[number];

/** Something that did not prevent reading a booking or writing a waiver, but that its caller should know. */
export interface Warning {
  readonly code: WarningCode;
  /** Path within the partner's body: `guests[2].name`. */
  readonly path?: string;
  /** A sentence: what was found, and how it was handled. */
  readonly message: string;
}

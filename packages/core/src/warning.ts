/**
 * Why an answer was read although it was not to the letter of the contract. Warnings are data: they travel with
 * the booking to whoever asked for it.
 */
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

/** One tolerance that was used while reading a partner's answer. */
export interface Warning {
  readonly code: WarningCode;
  /** Where, in the partner's own body: `guests[2].name`. */
  readonly path?: string;
  /** What was found and what was made of it, in a sentence. */
  readonly message: string;
}

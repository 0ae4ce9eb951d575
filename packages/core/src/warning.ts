/** Tolerated deviations from the contract in a response, and parts of a waiver that were not written. */
export const warningCodes = [
  /** The response has fields of both forms; the current one is used. */
  'both_forms',
  /** An optional field was null. */
  'null_as_absent',
  /** A number instead of a string. */
  'number_as_string',
  /** Digits in a string instead of a number. */
  'string_as_number',
  /** A date-time had another time zone or notation, or occurs twice because clocks go back. */
  'date_time_rewritten',
  /** Guests have no name; one warning states how many. */
  'guest_without_name',
  /** A session lacks `endsAt` or its activity. */
  'session_incomplete',
  /** The contact has no name. */
  'contact_incomplete',
  /** An optional field had an unusable value. */
  'value_ignored',
  /** Texts hold U+FFFD, the sign for characters that could not be decoded. */
  'characters_lost',
  /** Texts had characters that cannot be stored, or that do not belong in a name, or were too long. */
  'text_rewritten',
  /** Several guests have the same id: none of them keeps it, and waivers are matched with them by name. */
  'guest_id_repeated',
  /** An item of a list could not be used. */
  'item_skipped',
  /** Two counts in the response differ. */
  'count_disagrees',
  /** An active booking expects nobody: its `pax` is 0. */
  'nobody_expected',
  /** A status of the booking, or of a part of it, that the plugin does not know. */
  'unknown_status',
  /** The response has another id than the one requested; not with `capabilities.aliases`. */
  'id_differs',
  /** An e-mail address is an agency's alias for the booking, and is not pre-filled; added by the host. */
  'masked_email',
  /** The booking system stored only a part of the waiver. */
  'waiver_partly_written',
  /** There were more warnings than are listed. */
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

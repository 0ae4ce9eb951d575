/**
 * The meaning of a booking system’s answer for the account and the booking that it is about, whatever its status:
 *
 * - `throttled`: too many requests. The installation is left alone, by all hosts, for as long as is said.
 * - `bad-key`: the account's key is not accepted, or may not do this.
 * - `not-found`: there is no such booking. A Guest Update is tried again by the whole schedule.
 * - `gone`: there is no such booking any more. A Guest Update is not tried again.
 */
export const answerMeanings = ['throttled', 'bad-key', 'not-found', 'gone'] as const;

/** The meaning of a booking system’s answer. */
export interface AnswerMeaning {
  /** One of {@link answerMeanings}. */
  readonly meaning: (typeof answerMeanings)[number];
  /** If throttled: milliseconds to wait. Default: what `Retry-After` says. */
  readonly retryAfterMs?: number | undefined;
  /** The vendor's own words, for the message. */
  readonly vendorMessage?: string | undefined;
}

/**
 * The meaning of a booking system’s response for its account and booking, whatever its status:
 *
 * - `throttled`: too many requests. All hosts pause the installation for the given time.
 * - `bad-key`: the account's key is rejected, or lacks permission.
 * - `not-found`: no such booking. A Guest Update is retried by the whole schedule.
 * - `gone`: the booking no longer exists. A Guest Update is not retried.
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

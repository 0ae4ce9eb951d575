/**
 * The secrets that a use of a booking system has sent so far: the account's API key, the headers of every request, what
 * `authenticate` added to each, and credentials in a request's own headers. They are not shown, wherever a partner
 * repeats them.
 */
export interface SentSecrets {
  /** Replaces secrets of 6 characters or more in a text for people, also one that is cut off by `…` or by the end. */
  redact(text: string): string;
  /** Replaces secrets of 16 characters or more in a partner's data, where a shorter one may be an ordinary word. */
  redactData(text: string): string;
}

/**
 * The secrets that a use of a booking system has sent so far: the account's API key, the headers of every request, what
 * `authenticate` added to each, and credentials in a request's own headers. They are redacted wherever a partner
 * repeats them.
 */
export interface SentSecrets {
  /**
   * Replaces secrets of 6 characters or more in a text for people, including one truncated by `…` or by the end of the
   * text.
   */
  redact(text: string): string;
  /** Replaces secrets of 16 characters or more in a partner's data, where a shorter one could be an ordinary word. */
  redactData(text: string): string;
}

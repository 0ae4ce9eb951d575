/** The words of a document around what was shown, in one language. */
export interface DocumentWords {
  readonly signed: string;
  readonly received: string;
  readonly opened: string;
  readonly pool: string;
  readonly form: string;
  readonly booking: string;
  readonly day: string;
  readonly activities: string;
  readonly guest: string;
  readonly signer: string;
  readonly guardian: string;
  readonly agreed: string;
  readonly notAgreed: string;
  readonly initials: string;
  readonly drawn: string;
  readonly typed: string;
  readonly photo: string;
  readonly noAnswer: string;
  readonly erased: string;
  /** For a copy without health answers. */
  readonly withoutHealth: string;
  readonly yes: string;
  readonly no: string;
  readonly voided: string;
  readonly corrected: string;
  readonly provenance: string;
  readonly rendering: string;
  readonly verify: string;
  readonly record: string;
  readonly number: string;
  readonly head: string;
  readonly sealed: string;
  readonly pending: string;
  readonly stamp: string;
  readonly address: string;
  readonly device: string;
  readonly deviceClock: string;
  readonly translated: string;
  /** What the browser translated, and what it did not. */
  readonly translation: string;
  /** For a returning guest's confirmation of what was signed before. */
  readonly reuse: string;
  readonly reuseAt: string;
  readonly reuseQuestion: string;
  readonly reuseYes: string;
  readonly reuseHealth: string;
  readonly reuseNo: string;
  readonly reuseBy: string;
  readonly byLink: string;
  readonly byCode: string;
  readonly signedVersion: string;
  readonly validUntil: string;
  readonly reuseOriginal: string;
  /** Instead of a copy; the last one with `{operator}`. */
  readonly copyTitle: string;
  readonly copyUnknown: string;
  readonly copyEnded: string;
}

/** The words of one language: the texts that a pool may replace, and the fixed text around them. */
export interface InvitationWords {
  /** Default of a pool's text; with placeholders. */
  readonly subject: string;
  readonly text: string;
  /** Added if the link is for the whole booking. */
  readonly group: string;
  /** On the button that leads to the link. */
  readonly sign: string;
  /** In place of a name, or of an activity, that the booking does not have. */
  readonly noName: string;
  readonly noActivity: string;
  /** Why the guest gets this; with `{operator}`. */
  readonly because: string;
  readonly unsubscribe: string;
  /** The message with the link to the copy of what was signed; with `{operator}`, and the text with `{link}`. */
  readonly copy: {
    readonly subject: string;
    readonly text: string;
    /** On the button that leads to the link. */
    readonly open: string;
    /** Why the signer gets this. */
    readonly because: string;
  };
  /** The page to which the link to unsubscribe leads; with `{operator}`. */
  readonly page: {
    readonly title: string;
    readonly question: string;
    readonly confirm: string;
    readonly done: string;
    readonly unknown: string;
  };
}

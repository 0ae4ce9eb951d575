import type { AnswerOf, readCheckInSession, sign } from '@waiver-service/api';
import type { PublishedForm, SigningProblem } from '@waiver-service/forms';
import type { SealingKey } from '@waiver-service/forms/envelope';

type LinkSession = AnswerOf<typeof readCheckInSession>;

/** A booking's guest, as the link shows them: first name and initial. */
export type BookedGuest = Readonly<LinkSession['guests'][number]>;

/** What the page shows: the session that a link opens, or one that a kiosk makes from its day. */
export interface CheckInSession {
  readonly pool: LinkSession['pool'];
  readonly link: {
    readonly kind: LinkSession['link']['kind'] | 'kiosk';
    readonly expiresAt: LinkSession['link']['expiresAt'];
  };
  readonly booking: null | {
    readonly reference: string;
    readonly sessions: readonly NonNullable<LinkSession['booking']>['sessions'][number][];
  };
  readonly guests: readonly BookedGuest[];
  readonly day: { readonly date: string; readonly activities: readonly string[]; readonly timeZone?: string };
  readonly form: PublishedForm;
  /** How returning guests are recognized; null: everyone signs. */
  readonly returning?: LinkSession['returning'];
  readonly sealing: SealingKey;
}

/** Whether guests may share the device, so that the browser must not keep what one types and offer it to the next. */
export const isShared = ({ link }: Pick<CheckInSession, 'link'>): boolean =>
  link.kind === 'kiosk' || link.kind === 'desk';

/** The response once a signing is stored. */
export type StoredSigning = Pick<AnswerOf<typeof sign>, 'id' | 'receivedAt' | 'copy'>;

export interface ErrorBody {
  readonly code?: string;
  readonly form?: PublishedForm;
  readonly problems?: readonly SigningProblem[];
}

import type { PublishedForm, SigningProblem } from '@waiver-service/forms';
import type { SealingKey } from '@waiver-service/forms/envelope';

export interface BookedSession {
  readonly startsAt: string;
  readonly endsAt?: string;
  readonly activityName?: string;
}

/** A booking's guest, as the link shows them: first name and initial. */
export interface BookedGuest {
  readonly bookingGuestId: string;
  readonly label: string;
  readonly signed: boolean;
  /** By property; only on a link to this guest. */
  readonly prefill?: Readonly<Record<string, unknown>>;
}

/** The session that a link opens: `GET /check-in/api/session`. */
export interface CheckInSession {
  readonly pool: { readonly name: string };
  readonly link: { readonly kind: 'booking' | 'guest' | 'desk' | 'kiosk'; readonly expiresAt: string | null };
  readonly booking: null | {
    readonly reference: string;
    readonly sessions: readonly BookedSession[];
  };
  readonly guests: readonly BookedGuest[];
  readonly day: { readonly date: string; readonly activities: readonly string[]; readonly timeZone?: string };
  readonly form: PublishedForm;
  /** How returning guests are recognized; null: everyone signs. */
  readonly returning?: 'known' | 'code' | null;
  readonly sealing: SealingKey;
}

/** Whether guests may share the device, so that the browser must not keep what one types and offer it to the next. */
export const isShared = ({ link }: Pick<CheckInSession, 'link'>): boolean =>
  link.kind === 'kiosk' || link.kind === 'desk';

/** The response once a signing is stored. */
export interface StoredSigning {
  readonly id: string;
  readonly receivedAt: string;
  readonly copy: { readonly url: string };
}

export interface ErrorBody {
  readonly code?: string;
  readonly form?: PublishedForm;
  readonly problems?: readonly SigningProblem[];
}

import type { InvitationOccasion } from '@waiver-service/api';
import type { MailState } from '@waiver-service/signing/data';
import type { BookingKey } from '@waiver-service/waivers';

/** The states of a message, beside those of its delivery in the outbox: see {@link MailState}. */
export type InvitationState = MailState;

/** A message to a guest. */
export interface Invitation extends BookingKey {
  readonly id: string;
  readonly occasion: InvitationOccasion;
  /** Of the booking's first session, in the pool's time zone: `YYYY-MM-DD`. */
  readonly day: string;
  readonly email: string;
  /** The number of guests that it asks to sign. */
  readonly guests: number;
  readonly state: InvitationState;
  /** Why it was left out or refused; null otherwise. */
  readonly reason: string | null;
  /** Whether sending was given up: the delivery is a dead letter. */
  readonly isGivenUp: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

/** The addressee of a message. */
export interface InvitationRecipient {
  readonly email: string;
  /** The number of guests asked to sign. */
  readonly guests: number;
}

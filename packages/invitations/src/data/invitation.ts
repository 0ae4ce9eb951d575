import type { InvitationOccasion } from '@waiver-service/api';
import type { BookingKey } from '@waiver-service/waivers';

/*
 * The states of a message to a guest, beside those of its delivery in the outbox:
 *
 *   waiting ── before the mail server is given the text ──▶ handing-over ── it took it ──▶ sent
 *      ▲                                                       │  │
 *      └──────────────── the server refused it ────────────────┘  └── no answer, or found again ──▶ in-doubt
 *   waiting ── the server refuses the address ──▶ refused
 *   waiting ── the guest has signed, the booking was cancelled, … ──▶ left-out
 *
 * A message in doubt is not resent: it may have arrived, and the next occasion follows. A message left out stays left
 * out: asking its guest after all takes another message. Only the dispatcher that has claimed the delivery makes these
 * transitions.
 */
export type InvitationState = 'waiting' | 'handing-over' | 'sent' | 'in-doubt' | 'refused' | 'left-out';

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

/** An installation that takes Guest Updates. */
export interface GuestUpdateRecipient {
  readonly destination: string;
  /** Grows with each time that fewer properties are allowed than before. */
  readonly permissionVersion: number;
  readonly bookingSystem: string;
  /** Whose id it is told a waiver by. */
  readonly guestId: 'booking-guest-id' | 'waiver-id' | 'none';
  readonly properties: readonly string[];
}

/** A webhook endpoint. */
export interface WebhookRecipient {
  readonly destination: string;
  readonly permissionVersion: number;
  readonly properties: readonly string[];
}

/** Whom a pool's waivers go to. */
export interface Recipients {
  readonly installations: readonly GuestUpdateRecipient[];
  readonly webhooks: readonly WebhookRecipient[];
}

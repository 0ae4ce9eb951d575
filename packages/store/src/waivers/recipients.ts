/** An installation that takes Guest Updates. */
export interface GuestUpdateRecipient {
  readonly destination: string;
  /** Which opening of the destination this is: a message made for a former one does not pass. */
  readonly opening: number;
  readonly bookingSystem: string;
  readonly writeUnit: 'waiver' | 'booking';
  readonly properties: readonly string[];
}

/** A webhook endpoint. */
export interface WebhookRecipient {
  readonly destination: string;
  readonly opening: number;
  readonly properties: readonly string[];
}

/** Whom a pool's waivers go to. */
export interface Recipients {
  readonly installations: readonly GuestUpdateRecipient[];
  readonly webhooks: readonly WebhookRecipient[];
}

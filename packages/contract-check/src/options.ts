import type { ContractChoices } from '@waiver-service/core';

/** Says what to change in how the check was started. */
export interface CheckAdvice {
  /** The booking was not found. */
  readonly booking: string;
  /** The key was refused when the booking was read. */
  readonly readKey: string;
  /** The key was refused by Guest Update. */
  readonly guestUpdateKey: string;
  /** Why nothing was written. */
  readonly nothingWritten: string;
}

/** The endpoints to check, and how. */
export interface CheckOptions extends ContractChoices {
  /** The base address of the booking system's API. */
  readonly bookingApi: string;
  readonly apiKey: string;
  readonly pool: string;
  /** A booking that is there; with `write`, one that is meant for tests. */
  readonly bookingId: string;
  /** A booking that is not there. */
  readonly missingBookingId: string;
  /** Whether to send Guest Updates, too. */
  readonly write: boolean;
  readonly advice: CheckAdvice;
}

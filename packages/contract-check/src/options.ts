import type { ContractChoices } from '@waiver-service/core';

/** Advice on what to change in how the check was started. */
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
  /** An existing booking; with `write`, one meant for tests. */
  readonly bookingId: string;
  /** The id of a booking that does not exist. */
  readonly missingBookingId: string;
  /** Whether to send Guest Updates as well. */
  readonly write: boolean;
  readonly advice: CheckAdvice;
}

import type { ContractChoices } from '@waiver-service/core';
import type { CheckedExchange } from './exchange.ts';

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

/** The result of checking a clause. */
export type Verdict =
  | { readonly holds: true }
  | { readonly holds: false; readonly found: string; readonly change: string }
  /** Not checked. */
  | { readonly holds: undefined; readonly because: string };

/** One clause of the contract and its verdict. */
export interface ClauseResult {
  readonly id: string;
  /** The contract's section. */
  readonly section: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** The request and its response, if one was made. */
  readonly exchange?: CheckedExchange;
}

export const holds: Verdict = { holds: true };

export const fails = (found: string, change: string): Verdict => ({ holds: false, found, change });

export const notChecked = (because: string): Verdict => ({ holds: undefined, because });

/** Why a clause was no longer checked. */
export const timeIsOver = 'the check was broken off, or its time was over';

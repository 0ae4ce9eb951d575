import type { CheckedExchange } from './exchange.ts';

/** What a clause says of an endpoint. */
export type Verdict =
  | { readonly holds: true }
  /** What was found, and what to change. */
  | { readonly holds: false; readonly found: string; readonly change: string }
  /** Not looked at, and why. */
  | { readonly holds: undefined; readonly because: string };

/** One clause of the contract, and how it came out. */
export interface ClauseResult {
  readonly id: string;
  /** Section of the contract. */
  readonly section: string;
  readonly title: string;
  readonly verdict: Verdict;
  /** What was asked and answered, where something was. */
  readonly exchange?: CheckedExchange;
}

/** The clause holds. */
export const holds: Verdict = { holds: true };

/** The clause does not hold. */
export const fails = (found: string, change: string): Verdict => ({ holds: false, found, change });

/** The clause could not be looked at. */
export const notLookedAt = (because: string): Verdict => ({ holds: undefined, because });

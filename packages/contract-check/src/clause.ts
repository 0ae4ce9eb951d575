import type { CheckedExchange } from './exchange.ts';

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

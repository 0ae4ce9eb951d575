import type { ReceivedRequest, SimulatedAnswer } from '../http/received-request.ts';

/** An error with the contract's body (contract 7). */
export function refuse(status: number, message: string): SimulatedAnswer {
  return { status, body: { success: false, message } };
}

/** The header in which the account's key is expected. */
export interface KeyHeader {
  readonly name: string;
  readonly apiKey: string;
}

/** The response to a request without the account's key; `undefined` if it has it, or none is required. */
export function refusalOfKey(
  { headers }: ReceivedRequest,
  expected: KeyHeader | undefined,
): SimulatedAnswer | undefined {
  if (expected === undefined || headers[expected.name.toLowerCase()] === expected.apiKey) return undefined;
  return refuse(401, `the header ${expected.name} does not carry the account's key`);
}

import type { SimulatedAnswer } from '../http/received-request.ts';

/** An error with the contract's body (contract 7). */
export function refuse(status: number, message: string): SimulatedAnswer {
  return { status, body: { success: false, message } };
}

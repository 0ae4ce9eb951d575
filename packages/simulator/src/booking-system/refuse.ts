import type { SimulatedAnswer } from '../http/received-request.ts';

/** A refusal in the contract's own body (contract 7). */
export function refuse(status: number, message: string): SimulatedAnswer {
  return { status, body: { success: false, message } };
}

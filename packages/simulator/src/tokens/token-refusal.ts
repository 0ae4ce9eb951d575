import type { SimulatedAnswer } from '../http/received-request.ts';

/** An error as RFC 6749, section 5.2 has it. */
export const tokenRefusal = (status: number, error: string, error_description: string): SimulatedAnswer => ({
  status,
  headers: { 'Cache-Control': 'no-store' },
  body: { error, error_description },
});

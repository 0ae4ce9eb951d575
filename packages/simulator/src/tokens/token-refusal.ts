import type { SimulatedAnswer } from '../http/received-request.ts';

/** An error according to RFC 6749, section 5.2. */
export const tokenRefusal = (status: number, error: string, error_description: string): SimulatedAnswer => ({
  status,
  headers: { 'Cache-Control': 'no-store' },
  body: { error, error_description },
});

import type { SimulatedAnswer } from '@waiver-service/simulator';

/** A Rezdy error. Even errors have status 200: only the envelope identifies them. */
export const refuse = (errorCode: string, errorMessage: string): SimulatedAnswer => ({
  status: 200,
  body: { requestStatus: { success: false, version: 'v1', error: { errorCode, errorMessage } } },
});

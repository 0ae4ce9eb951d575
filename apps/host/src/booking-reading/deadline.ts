import { BookingSystemTimeout } from '@waiver-service/core';

/**
 * Gives work a time limit, even work that does not look at its signal.
 * @param milliseconds the limit
 * @throws BookingSystemTimeout when it is reached
 */
export async function withDeadline<Result>(
  milliseconds: number,
  callerSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new AbortController();
  const signal = AbortSignal.any([callerSignal, deadline.signal]);
  const timer = setTimeout(() => {
    deadline.abort(
      new BookingSystemTimeout(`The booking system did not answer within ${milliseconds / 1000} seconds.`, {
        outboundErrorCode: 'timeout',
      }),
    );
  }, milliseconds);
  try {
    return await Promise.race([work(signal), rejectionOn(signal)]);
  } finally {
    clearTimeout(timer);
  }
}

function rejectionOn(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
}

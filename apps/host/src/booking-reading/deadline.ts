import { BookingSystemTimeout } from '@waiver-service/core';

/**
 * Limits the duration of work, even if it ignores its signal.
 * @param milliseconds the limit
 * @throws BookingSystemTimeout when it is reached
 */
export function withDeadline<Result>(
  milliseconds: number,
  callerSignal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  return new Promise((resolve, reject) => {
    const end = (reason: unknown) => {
      ending.abort(reason);
      reject(reason);
    };
    const leave = () => end(callerSignal.reason);
    const timer = setTimeout(() => {
      const sentence = `The booking system did not answer within ${milliseconds / 1000} seconds.`;
      end(new BookingSystemTimeout(sentence, { outboundErrorCode: 'timeout' }));
    }, milliseconds);
    callerSignal.addEventListener('abort', leave, { once: true });
    if (callerSignal.aborted) leave();
    work(ending.signal)
      .then(resolve, reject)
      .finally(() => {
        clearTimeout(timer);
        callerSignal.removeEventListener('abort', leave);
      });
  });
}

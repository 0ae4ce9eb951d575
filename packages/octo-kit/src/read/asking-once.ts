import type { BookingSystemHttp, BookingSystemResponse } from '@waiver-service/core';

/** A client that requests each URL only once. */
export function askingOnce(http: BookingSystemHttp): BookingSystemHttp {
  const answers = new Map<string, Promise<BookingSystemResponse>>();
  return {
    ...http,
    get(url, request) {
      const answer = answers.get(url) ?? http.get(url, request);
      answers.set(url, answer);
      return answer;
    },
  };
}

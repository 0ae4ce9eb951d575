import type { AnswerMeaning, BookingSystemResponse } from '@waiver-service/core';
import { judgeAnswer as judgeOctoAnswer } from '@waiver-service/octo-kit';

/** The meanings of OCTO's codes, and how long a 429 lasts: Zaui gives the seconds in its own header. */
export function judgeAnswer(answer: BookingSystemResponse): AnswerMeaning | undefined {
  if (answer.status !== 429) return judgeOctoAnswer(answer);
  const seconds = /^\s*(\d{1,5})\s*$/.exec(String(answer.headers['octo-ratelimit-retryafter']))?.[1];
  return seconds === undefined ? undefined : { meaning: 'throttled', retryAfterMs: Number(seconds) * 1000 };
}

import type { Answers } from './waiver-record.ts';

/** Most bytes of the answers of one record, as JSON in UTF-8. */
export const maxAnswersBytes = 256 * 1024;

const bytesOf = (answers: Answers) => Buffer.byteLength(JSON.stringify(answers));

/**
 * Whether a record may not have these answers. One that was stored with more, before there was a limit, may still
 * become smaller.
 */
export function areAnswersTooLarge(answers: Answers, former?: Answers): boolean {
  const bytes = bytesOf(answers);
  return bytes > maxAnswersBytes && (former === undefined || bytes > bytesOf(former));
}

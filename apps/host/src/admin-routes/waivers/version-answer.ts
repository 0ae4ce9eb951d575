import type { waiverVersionSchema } from '@waiver-service/api';
import type { WaiverVersion } from '@waiver-service/store';
import type { AnswerChange } from '@waiver-service/waivers';
import type { z } from 'zod';

type VersionAnswer = z.input<typeof waiverVersionSchema>;

const answerChange = ([name, change]: readonly [string, AnswerChange]) => ({ name, ...change });

export function versionAnswer(
  { version, formerVersion, at, by, fields, answers }: WaiverVersion,
  withAnswers: boolean,
): VersionAnswer {
  return {
    version,
    formerVersion,
    at,
    ...(by === undefined ? {} : { actor: by.id, ...(by.name === null ? {} : { actorName: by.name }) }),
    fields: [...fields],
    ...(withAnswers
      ? { answers: Object.entries(answers).map(answerChange) }
      : { answers: null, redacted: true as const }),
  };
}

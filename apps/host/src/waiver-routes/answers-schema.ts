import type { JsonValue } from '@waiver-service/waivers';

/** Answers as they are stored: without those that are `null`. */
export function givenAnswers(
  answers: Readonly<Record<string, JsonValue | undefined>>,
): Record<string, JsonValue> {
  return Object.fromEntries(
    Object.entries(answers).flatMap(([answerName, value]) =>
      value === undefined || value === null ? [] : [[answerName, value] as const],
    ),
  );
}

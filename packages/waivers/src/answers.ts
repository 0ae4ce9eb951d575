/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A guest's answers, by property name. */
export type Answers = Readonly<Record<string, JsonValue>>;

/** The maximum size of a waiver's answers, in bytes of JSON in UTF-8. */
export const maxAnswersBytes = 256 * 1024;

/** The size of answers, in bytes of JSON in UTF-8. */
export const answersBytes = (answers: Answers): number => Buffer.byteLength(JSON.stringify(answers));

/** Whether answers exceed {@link maxAnswersBytes}. Answers stored before the limit may still shrink. */
export function areAnswersTooLarge(answers: Answers, former?: Answers): boolean {
  const bytes = answersBytes(answers);
  return bytes > maxAnswersBytes && (former === undefined || bytes > answersBytes(former));
}

/**
 * Merges changed answers into existing ones; null removes one. Existing answers keep their order, new ones are
 * appended.
 */
export function mergeAnswers(answers: Answers, changed: Answers): Answers {
  const merged = new Map(Object.entries(answers));
  for (const [name, value] of Object.entries(changed)) {
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

/** The names of the answers that `next` no longer has. */
export function removedAnswers(former: Answers, next: Answers): ReadonlySet<string> {
  return new Set(Object.keys(former).filter((name) => !Object.hasOwn(next, name)));
}

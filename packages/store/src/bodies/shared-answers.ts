import type { Answers, JsonValue } from '../waivers/waiver-record.ts';

/**
 * The answers that may leave: those that are listed, in the order of the list. One named like a field of the
 * contract never takes that field's place.
 */
export function sharedAnswers(
  answers: Answers,
  listed: readonly string[],
  fieldNames: readonly string[],
): Record<string, JsonValue> {
  const shared: Record<string, JsonValue> = {};
  for (const name of listed) {
    const value = Object.hasOwn(answers, name) ? answers[name] : undefined;
    if (value !== undefined && !fieldNames.includes(name)) shared[name] = value;
  }
  return shared;
}

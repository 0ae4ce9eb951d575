import type { When } from './content.ts';
import type { Answer } from './signing.ts';

/** The facts that conditions test. */
export interface Facts {
  /** The answer to a shown question. */
  readonly answerTo: (item: string) => Answer | undefined;
  readonly age: number | undefined;
  readonly activities: readonly string[];
}

/** An answer as conditions and flags name it: ids of options, codes of countries, `yes` and `no`. */
export function chosen(answer: Answer | undefined): readonly string[] {
  if (answer === undefined) return [];
  if (typeof answer === 'boolean') return [answer ? 'yes' : 'no'];
  return typeof answer === 'object' ? answer : [String(answer)];
}

/** Whether a condition is met; a question without an answer is in no list. */
export function holds(when: When | undefined, facts: Facts): boolean {
  if (when === undefined) return true;
  if ('answer' in when) return chosen(facts.answerTo(when.answer)).some((id) => when.in.includes(id));
  if ('ageBelow' in when) return facts.age !== undefined && facts.age < when.ageBelow;
  if ('activity' in when) return facts.activities.some((id) => when.activity.includes(id));
  if ('all' in when) return when.all.every((part) => holds(part, facts));
  if ('any' in when) return when.any.some((part) => holds(part, facts));
  return !holds(when.not, facts);
}

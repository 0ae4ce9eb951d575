import type { FormContent } from '../content.ts';
import { conditionProblems, usesAges } from './condition-problems.ts';
import { idProblems } from './id-problems.ts';
import { itemProblems } from './item-problems.ts';
import { peopleProblems } from './people-problems.ts';
import type { FormProblem } from './placed-items.ts';
import { reachabilityProblems } from './reachability.ts';
import { textProblems } from './text-problems.ts';

/**
 * Finds all reasons to refuse publishing, in English.
 *
 * @param earlier published versions of the form, whose ids must keep their meaning
 */
export function formProblems(content: FormContent, earlier: readonly FormContent[] = []): FormProblem[] {
  const conditions = conditionProblems(content);
  return [
    ...textProblems(content),
    ...idProblems(content, earlier),
    ...peopleProblems(content, usesAges(content)),
    ...itemProblems(content),
    ...conditions,
    ...reachabilityProblems(content).filter(({ path }) => !conditions.some((one) => one.path === path)),
  ];
}

import type { FormContent } from '../content.ts';
import { conditionProblems, usesAges } from './condition-problems.ts';
import { idProblems } from './id-problems.ts';
import { itemProblems } from './item-problems.ts';
import { peopleProblems } from './people-problems.ts';
import type { FormProblem } from './placed-items.ts';
import { reachabilityProblems } from './reachability.ts';
import { textProblems } from './text-problems.ts';

/**
 * Finds everything that publishing refuses, in English.
 *
 * @param earlier versions of the form that were published: no id may get another meaning
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

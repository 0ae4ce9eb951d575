import { type Facts, holds } from '../conditions.ts';
import type { AskItem, FormContent, When } from '../content.ts';
import { formLimits } from '../limits.ts';
import type { Answer } from '../signing.ts';
import { type FormProblem, isAsk, placedItems } from './placed-items.ts';

type Atom = Exclude<When, { all: unknown } | { any: unknown } | { not: unknown }>;

function atomsOf(when: When): Atom[] {
  if ('all' in when) return when.all.flatMap(atomsOf);
  if ('any' in when) return when.any.flatMap(atomsOf);
  return 'not' in when ? atomsOf(when.not) : [when];
}

/** A condition with more cases counts as one that can be met. */
const maxCases = 5000;

/** All combinations of one value from each list; undefined if there are too many. */
function combinations<Value>(choices: readonly (readonly Value[])[]): Value[][] | undefined {
  if (choices.reduce((count, { length }) => count * length, 1) > maxCases) return undefined;
  return choices.reduce<Value[][]>(
    (lists, values) => lists.flatMap((list) => values.map((value) => [...list, value])),
    [[]],
  );
}

/** All subsets; undefined if there are too many. */
const subsets = (ids: readonly string[]): string[][] | undefined =>
  combinations(ids.map((id) => [[], [id]]))?.map((lists) => lists.flat());

/** The answers to a question that a condition can distinguish; undefined if there are too many. */
function answersTo(item: AskItem, named: readonly string[]): (Answer | undefined)[] | undefined {
  if (item.kind === 'yesno') return [undefined, true, false];
  return item.kind === 'choices' ? subsets(named) : [undefined, ...named];
}

/** The ages of guests that a condition can distinguish. */
function agesFor({ people }: FormContent, atoms: readonly Atom[]): number[] {
  const { adults, minors, majority, minAge = 0, maxAge = formLimits.age } = people;
  const least = Math.max(minAge, minors === 'no' ? majority : 0);
  const most = Math.min(maxAge, adults ? formLimits.age : majority - 1);
  const limits = atoms.flatMap((atom) => ('ageBelow' in atom ? [atom.ageBelow - 1, atom.ageBelow] : []));
  return [least, ...limits].filter((age) => age >= least && age <= most);
}

function canHold(when: When, content: FormContent): boolean {
  const atoms = atomsOf(when);
  const items = placedItems(content).filter(isAsk);
  const asked = [...new Set(atoms.flatMap((atom) => ('answer' in atom ? [atom.answer] : [])))];
  const answers = asked.map((id) => {
    const named = atoms.flatMap((atom) => ('answer' in atom && atom.answer === id ? atom.in : []));
    const found = items.find(({ item }) => item.id === id);
    return found && answersTo(found.item, [...new Set(named)]);
  });
  const activities = subsets([
    ...new Set(atoms.flatMap((atom) => ('activity' in atom ? atom.activity : []))),
  ]);
  const ages = agesFor(content, atoms);
  const known = answers.filter((one) => one !== undefined);
  const given = combinations(known);
  // Unknown questions and contradictory ages are reported separately.
  if (known.length < asked.length || given === undefined || activities === undefined || ages.length === 0)
    return true;
  if (given.length * activities.length * ages.length > maxCases) return true;
  return ages.some((age) =>
    activities.some((ofDay) =>
      given.some((list) => {
        const answerTo: Facts['answerTo'] = (id) => list[asked.indexOf(id)];
        return holds(when, { answerTo, age, activities: ofDay });
      }),
    ),
  );
}

/** Pages and items whose conditions contradict themselves, each other or the rules for people. */
export function reachabilityProblems(content: FormContent): FormProblem[] {
  return content.pages.flatMap((page, index) => {
    const path = `pages[${index}]`;
    if (page.when !== undefined && !canHold(page.when, content))
      return [{ path: `${path}.when`, message: 'never holds: the page can never be shown' }];
    return page.items.flatMap((item, itemIndex) => {
      if (item.when === undefined) return [];
      const both = page.when === undefined ? item.when : { all: [page.when, item.when] };
      return canHold(both, content)
        ? []
        : [{ path: `${path}.items[${itemIndex}].when`, message: 'never holds: the item can never be shown' }];
    });
  });
}

import type { AskItem, FormContent, When } from '../content.ts';
import { type Facts, holds } from '../evaluate.ts';
import { formLimits } from '../limits.ts';
import type { Answer } from '../signing.ts';
import { itemsThatRevealHealth } from '../signing-result.ts';
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

/** Kinds whose answers a condition can name. */
const conditionKinds: ReadonlySet<string> = new Set(['yesno', 'choice', 'choices', 'country']);

/** The answers that a condition or a flag can name; undefined: any country. */
export function namedAnswers({ kind, options = [] }: AskItem): readonly string[] | undefined {
  if (kind === 'country') return undefined;
  return kind === 'yesno' ? ['yes', 'no'] : options.map(({ id }) => id);
}

interface Context {
  /** The questions above. */
  readonly above: ReadonlyMap<string, AskItem>;
  readonly content: FormContent;
}

function answerProblem({ answer, in: ids }: Extract<When, { answer: string }>, { above, content }: Context) {
  const item = above.get(answer);
  if (item === undefined) {
    const isBelow = placedItems(content)
      .filter(isAsk)
      .some((placed) => placed.item.id === answer);
    return isBelow
      ? `looks at ${answer}, which is no question above: conditions look backwards only`
      : `looks at ${answer}, which is no question of this form`;
  }
  if (!conditionKinds.has(item.kind)) return `looks at ${answer}, whose answers are not from a list`;
  const unknown = ids.filter((id) => namedAnswers(item)?.includes(id) === false);
  return unknown.length > 0
    ? `names ${unknown.join(', ')}, which ${answer} cannot be answered with`
    : undefined;
}

/** The messages about one condition. */
function messagesFor(when: When | undefined, context: Context): string[] {
  if (when === undefined) return [];
  const { activities } = context.content;
  if ('all' in when) return when.all.flatMap((part) => messagesFor(part, context));
  if ('any' in when) return when.any.flatMap((part) => messagesFor(part, context));
  if ('not' in when) return messagesFor(when.not, context);
  if ('answer' in when) return [answerProblem(when, context)].filter((message) => message !== undefined);
  if ('activity' in when) {
    const unknown = activities.length === 0 ? [] : when.activity.filter((id) => !activities.includes(id));
    return unknown.length > 0 ? [`names ${unknown.join(', ')}, which is no activity of this form`] : [];
  }
  const isAsked = [...context.above.values()].some(({ property }) => property === 'dateOfBirth');
  return isAsked ? [] : ['looks at the age, but the date of birth is not asked above'];
}

/** Whether a form has a condition on age. */
export const usesAges = ({ pages }: FormContent): boolean => {
  const looksAtAge = (when: When | undefined): boolean => {
    if (when === undefined) return false;
    if ('all' in when) return when.all.some(looksAtAge);
    if ('any' in when) return when.any.some(looksAtAge);
    return 'not' in when ? looksAtAge(when.not) : 'ageBelow' in when;
  };
  return pages.some(({ when, items }) => looksAtAge(when) || items.some((item) => looksAtAge(item.when)));
};

/** An item that depends on a health answer reveals it, so it may leave no act and no answer in a waiver. */
function healthProblems(content: FormContent): FormProblem[] {
  const revealing = itemsThatRevealHealth(content);
  return placedItems(content).flatMap(({ item, path }) => {
    const isFree =
      (item.type === 'text' && !item.initials) || (item.type === 'ask' && item.sensitive === 'health');
    if (!revealing.has(item.id) || isFree) return [];
    const message =
      'depends on a health answer, which it would reveal: only texts and other health questions may';
    return [{ path: `${path}.when`, message }];
  });
}

/** Conditions that look forward, or at something that does not exist. */
export function conditionProblems(content: FormContent): FormProblem[] {
  const above = new Map<string, AskItem>();
  const problems: FormProblem[] = [];
  const look = (when: When | undefined, path: string) => {
    for (const message of messagesFor(when, { above, content })) problems.push({ path, message });
  };
  const asks = placedItems(content).filter(isAsk);
  content.pages.forEach((page, index) => {
    look(page.when, `pages[${index}].when`);
    page.items.forEach((item, itemIndex) => {
      look(item.when, `pages[${index}].items[${itemIndex}].when`);
      const ask = asks.find((placed) => placed.item === item);
      if (ask !== undefined) above.set(item.id, ask.item);
    });
  });
  return [...problems, ...healthProblems(content)];
}

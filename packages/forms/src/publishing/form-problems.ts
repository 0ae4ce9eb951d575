import type { FormContent, Item, SignItem, Text } from '../content.ts';
import type { Property } from '../names.ts';
import { conditionProblems, reachabilityProblems, usesAges } from './condition-problems.ts';
import { idProblems, itemProblems } from './item-problems.ts';
import { type FormProblem, isAsk, isUnconditional, type Placed, placedItems } from './placed-items.ts';

const isSign = (placed: Placed): placed is Placed<SignItem> => placed.item.type === 'sign';

function ruleProblems({ people, guardian }: FormContent): FormProblem[] {
  const { adults, minors, majority, minAge, maxAge, maxMinors, minorSignsFrom } = people;
  const refused: [when: boolean, path: string, message: string][] = [
    [!adults && minors === 'no', 'people', 'allow neither adults nor minors'],
    [
      minAge !== undefined && maxAge !== undefined && minAge > maxAge,
      'people.minAge',
      'is above the maximum age',
    ],
    [
      adults && maxAge !== undefined && maxAge < majority,
      'people.adults',
      `may take part, but the maximum age is ${maxAge}`,
    ],
    [
      minors !== 'no' && minAge !== undefined && minAge >= majority,
      'people.minors',
      `may take part, but the minimum age is ${minAge}`,
    ],
    [minors === 'guardian' && maxMinors === 0, 'people.maxMinors', 'is 0, although minors may take part'],
    [
      minorSignsFrom !== undefined && (minors !== 'guardian' || minorSignsFrom >= majority),
      'people.minorSignsFrom',
      `applies to minors with a guardian only, and must be below ${majority}`,
    ],
    [
      minors === 'guardian' && guardian === undefined,
      'guardian',
      'is missing: say what is asked of the guardian of a minor',
    ],
  ];
  return refused.filter(([when]) => when).map(([, path, message]) => ({ path, message }));
}

function signatureProblems(content: FormContent): FormProblem[] {
  const { adults, minors, minorSignsFrom } = content.people;
  const signs = placedItems(content).filter(isSign);
  const wanted = {
    guest: adults || minors === 'alone' || minorSignsFrom !== undefined,
    guardian: minors === 'guardian',
  };
  const who = { guest: 'guests', guardian: 'guardians' };
  return (['guest', 'guardian'] as const).flatMap((by) => {
    const ofThem = signs.filter(({ item }) => item.by === by);
    if (!wanted[by]) {
      return ofThem.map(({ path }) => ({ path, message: `is never shown: no ${who[by]} sign this form` }));
    }
    if (ofThem.some(isUnconditional)) return [];
    return ofThem.length === 0
      ? [{ path: 'pages', message: `lack a signature of ${who[by]}, who may sign this form` }]
      : [{ path: 'pages', message: `have a signature of ${who[by]} only under a condition` }];
  });
}

/** Missing questions that every waiver, or the rules for ages, need. */
function neededQuestions(content: FormContent, needsAge: boolean): FormProblem[] {
  const asks = placedItems(content).filter(isAsk);
  const needed: readonly (readonly [Property, boolean, string])[] = [
    ['name', true, 'since every waiver has one'],
    ['dateOfBirth', needsAge, 'since ages matter in this form'],
  ];
  return needed.flatMap(([property, isNeeded, why]) => {
    const found = asks.find(({ item }) => item.property === property);
    if (found === undefined)
      return isNeeded
        ? [{ path: 'pages', message: `have no question with the property ${property}, ${why}` }]
        : [];
    const isAskedOfAll = found.item.required && found.item.per === 'guest' && isUnconditional(found);
    return isAskedOfAll
      ? []
      : [{ path: found.path, message: 'must be required, asked per guest, and without a condition' }];
  });
}

/** Contradictory rules for people, missing signatures, and ages that no question asks. */
function peopleProblems(content: FormContent, usesAges: boolean): FormProblem[] {
  const { minors, minAge, maxAge } = content.people;
  const needsAge = usesAges || minors !== 'no' || minAge !== undefined || maxAge !== undefined;
  return [...ruleProblems(content), ...signatureProblems(content), ...neededQuestions(content, needsAge)];
}

type Field = readonly [path: string, text: Text | undefined];

function fieldsOf(item: Item, path: string): Field[] {
  if (item.type === 'text' || item.type === 'agree') return [[`${path}.text`, item.text]];
  if (item.type === 'sign') return [[`${path}.statement`, item.statement]];
  return [
    [`${path}.label`, item.label],
    [`${path}.help`, item.help],
    ...(item.options ?? []).map(({ label }, index): Field => [`${path}.options[${index}].label`, label]),
  ];
}

// Guests sign what they see: the text behind a link can change.
const linkPattern = /\bhttps?:\/\/|\bwww\.|\]\(/i;
const htmlPattern = /<\/?[a-z][^<]*>/i;

function problemsOf([path, text]: Field, languages: readonly string[]): FormProblem[] {
  if (text === undefined) return [];
  return languages.flatMap((language) => {
    const written = Object.hasOwn(text, language) ? text[language] : undefined;
    if (written === undefined || written.trim() === '')
      return [{ path, message: `is missing in the language ${language}` }];
    const at = `${path}.${language}`;
    if (linkPattern.test(written))
      return [
        { path: at, message: 'has a link: write out what guests sign, since a linked text can change' },
      ];
    return htmlPattern.test(written)
      ? [{ path: at, message: 'has HTML, which guests would see as it is: use #, - and **bold**' }]
      : [];
  });
}

/** Missing languages, and texts that guests could not read. */
function textProblems(content: FormContent): FormProblem[] {
  const { languages, binding, pages } = content;
  const fields: Field[] = [
    ...pages.map(({ title }, index): Field => [`pages[${index}].title`, title]),
    ...placedItems(content).flatMap(({ item, path }) => fieldsOf(item, path)),
  ];
  return [
    ...(new Set(languages).size < languages.length
      ? [{ path: 'languages', message: 'have a language twice' }]
      : []),
    ...(binding !== undefined && !languages.includes(binding)
      ? [{ path: 'binding', message: `is ${binding}, which is not among the languages` }]
      : []),
    ...fields.flatMap((field) => problemsOf(field, languages)),
  ];
}

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

import type { FormContent, Item, Text } from '../content.ts';
import { type FormProblem, placedItems } from './placed-items.ts';

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
export function textProblems(content: FormContent): FormProblem[] {
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

import type { FormContent, FormProblem } from '@waiver-service/forms';
import { fieldNames, formsTexts } from '../../text/english/forms.ts';
import { languageName } from '../../text/formats.ts';

/** A problem, with the ids of its page and item at the time it was found. */
export interface PlacedProblem {
  readonly page: string | undefined;
  readonly item: string | undefined;
  /** Such as `label` or `options[1].label`; for the settings, the whole path. */
  readonly field: string;
  readonly message: string;
}

const placePattern = /^pages\[(\d+)\](?:\.items\[(\d+)\])?\.?(.*)$/;

/** @param content - as checked, which may differ from the current content */
export function placeProblems(
  problems: readonly FormProblem[],
  { pages }: FormContent,
): readonly PlacedProblem[] {
  return problems.map(({ path, message }) => {
    const [, pageIndex, itemIndex, field = ''] = placePattern.exec(path) ?? [];
    if (pageIndex === undefined) return { page: undefined, item: undefined, field: path, message };
    const page = pages[Number(pageIndex)];
    const item = itemIndex === undefined ? undefined : page?.items[Number(itemIndex)];
    return { page: page?.id, item: item?.id, field, message };
  });
}

const names: Readonly<Record<string, string>> = fieldNames;

/** A field's name in the editor, such as “Question · German”. */
export function fieldName(field: string): string {
  const [, part = '', language] = /^(label|help|text|statement|title)\.(.*)$/.exec(field) ?? [];
  if (language !== undefined) return `${names[part] ?? part} · ${languageName(language)}`;
  return names[field] ?? field;
}

const verbs = /^(is|are|has|have|must|looks|names|depends|applies|never|may|allow)\b/;

/** A problem as a sentence, such as “Condition never holds: the item can never be shown.” */
export function problemText({ page, item, field, message }: PlacedProblem): string {
  const withoutLanguage = field.replace(/^(label|help|text|statement|title)\..*$/, '$1');
  const [, option] = /^options\[(\d+)\]/.exec(field) ?? [];
  if (option !== undefined) return `${formsTexts.option(Number(option) + 1)} ${message}.`;
  const whole = item !== undefined ? 'It' : page !== undefined ? 'The page' : 'The form';
  const name = field === '' || field === 'pages' ? whole : (names[withoutLanguage] ?? field);
  if (field === 'pages') return `The pages ${message}.`;
  return verbs.test(message) ? `${name} ${message}.` : `${name}: ${message}.`;
}

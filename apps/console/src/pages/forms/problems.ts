import type { FormContent, FormProblem } from '@waiver-service/forms';
import { formsTexts } from '../../text/english/forms.ts';
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

const names: Readonly<Record<string, string>> = {
  label: formsTexts.label,
  help: formsTexts.help,
  text: formsTexts.text,
  statement: formsTexts.statement,
  title: formsTexts.pageTitle,
  act: formsTexts.act,
  kind: formsTexts.kind,
  per: formsTexts.per,
  required: formsTexts.required,
  min: formsTexts.min.number,
  max: formsTexts.max.number,
  reuse: formsTexts.reuse,
  activities: formsTexts.activities,
  order: 'Order',
  when: formsTexts.when,
  options: formsTexts.options,
  flag: formsTexts.flagLabel,
  'flag.label': formsTexts.flagLabel,
  property: formsTexts.property,
  sensitive: formsTexts.sensitive,
  keepDays: formsTexts.keepDays,
  id: formsTexts.id,
  languages: formsTexts.languages,
  binding: formsTexts.binding,
  guardian: formsTexts.guardianAge,
  'people.adults': formsTexts.adults,
  'people.minors': formsTexts.minors,
  'people.minAge': formsTexts.minAge,
  'people.maxAge': formsTexts.maxAge,
  'people.majority': formsTexts.majority,
  'people.maxMinors': formsTexts.maxMinors,
  'people.minorSignsFrom': formsTexts.minorSignsFrom,
  'validity.days': formsTexts.days,
  'validity.until': formsTexts.until,
};

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
  if (field === 'pages') return `${formsTexts.pagesLack} ${message}.`;
  return verbs.test(message) ? `${name} ${message}.` : `${name}: ${message}.`;
}

import type { FormContent, FormProblem } from '@waiver-service/forms';
import { texts } from '../../text/english.ts';
import { languageName } from '../../text/formats.ts';

/** A problem with the page or item that it is about, as they were when it was found. */
export interface PlacedProblem {
  readonly page: string | undefined;
  readonly item: string | undefined;
  /** Such as `label` or `options[1].label`; of the settings, the whole path. */
  readonly field: string;
  readonly message: string;
}

const placePattern = /^pages\[(\d+)\](?:\.items\[(\d+)\])?\.?(.*)$/;

/** @param content - in which the problems were found: it may have been edited since */
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
  label: texts.guestForms.label,
  help: texts.guestForms.help,
  text: texts.guestForms.text,
  statement: texts.guestForms.statement,
  title: texts.guestForms.pageTitle,
  act: texts.guestForms.act,
  kind: texts.guestForms.kind,
  per: texts.guestForms.per,
  required: texts.guestForms.required,
  min: texts.guestForms.min.number,
  max: texts.guestForms.max.number,
  reuse: texts.guestForms.reuse,
  activities: texts.guestForms.activities,
  order: texts.guestForms.order,
  when: texts.guestForms.when,
  options: texts.guestForms.options,
  flag: texts.guestForms.flagLabel,
  'flag.label': texts.guestForms.flagLabel,
  property: texts.guestForms.property,
  sensitive: texts.guestForms.sensitive,
  keepDays: texts.guestForms.keepDays,
  id: texts.guestForms.id,
  languages: texts.guestForms.languages,
  binding: texts.guestForms.binding,
  guardian: texts.guestForms.guardianAge,
  'people.adults': texts.guestForms.adults,
  'people.minors': texts.guestForms.minors,
  'people.minAge': texts.guestForms.minAge,
  'people.maxAge': texts.guestForms.maxAge,
  'people.majority': texts.guestForms.majority,
  'people.maxMinors': texts.guestForms.maxMinors,
  'people.minorSignsFrom': texts.guestForms.minorSignsFrom,
  'validity.days': texts.guestForms.days,
  'validity.until': texts.guestForms.until,
};

/** A field as the editor names it, such as “Question · German”. */
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
  const { thisItem, thisPage, thisForm } = texts.guestForms;
  if (option !== undefined) return `${texts.guestForms.option(Number(option) + 1)} ${message}.`;
  const whole = item !== undefined ? thisItem : page !== undefined ? thisPage : thisForm;
  const name = field === '' || field === 'pages' ? whole : (names[withoutLanguage] ?? field);
  if (field === 'pages') return `${texts.guestForms.pagesLack} ${message}.`;
  return verbs.test(message) ? `${name} ${message}.` : `${name}: ${message}.`;
}

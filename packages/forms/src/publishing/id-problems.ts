import { waiverFieldNames, webhookGuestFieldNames } from '@waiver-service/core';
import type { FormContent, Item } from '../content.ts';
import { propertyKinds } from '../names.ts';
import { type FormProblem, isAsk, placedItems } from './placed-items.ts';

// The service sets these itself, or they are fields of the record.
const reservedNames: ReadonlySet<string> = new Set([
  ...waiverFieldNames,
  ...webhookGuestFieldNames,
  'minor',
  'guardianName',
  'validUntil',
  'reuseOf',
]);

/** The values that already appeared in the list. */
const repeated = <Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] => {
  const seen = new Set<string>();
  return values.filter((value) => {
    const known = seen.has(keyOf(value));
    seen.add(keyOf(value));
    return known;
  });
};

function optionIdProblems(content: FormContent): FormProblem[] {
  return placedItems(content)
    .filter(isAsk)
    .flatMap(({ item, path }) =>
      repeated(item.options ?? [], ({ id }) => id).map(({ id }) => ({
        path: `${path}.options`,
        message: `have the id ${id} twice`,
      })),
    );
}

/** Problems with the names under which answers are stored. */
function nameProblems(content: FormContent): FormProblem[] {
  const asks = placedItems(content).filter(isAsk);
  return [
    ...asks.flatMap(({ item: { id, property }, path }) => {
      if (property !== undefined) return [];
      if (reservedNames.has(id)) return [{ path: `${path}.id`, message: `${id} is set by the service` }];
      return Object.hasOwn(propertyKinds, id)
        ? [{ path: `${path}.id`, message: `${id} is a named answer: set its property, or choose another id` }]
        : [];
    }),
    ...repeated(asks, ({ item }) => item.property ?? item.id).map(({ item, path }) => ({
      path,
      message: `is stored as ${item.property ?? item.id}, as another question is`,
    })),
  ];
}

/** The meaning of an id: answers and acts stored under it must mean the same in every version. */
function meaningOf(item: Item): string {
  if (item.type === 'ask') {
    const { kind, property = 'no property', sensitive = 'not sensitive' } = item;
    return `a question (${kind}, ${property}, ${sensitive})`;
  }
  if (item.type === 'agree') return `a consent (${item.act})`;
  return item.type === 'sign' ? `a signature (${item.by})` : 'a text';
}

function meaningProblems(content: FormContent, earlier: readonly FormContent[]): FormProblem[] {
  const former = new Map(earlier.flatMap(placedItems).map(({ item }) => [item.id, meaningOf(item)]));
  return placedItems(content).flatMap(({ item, path }) => {
    const meant = former.get(item.id);
    const means = meaningOf(item);
    return meant === undefined || meant === means
      ? []
      : [{ path: `${path}.id`, message: `${item.id} was ${meant} and is ${means} now: choose another id` }];
  });
}

/** Ids used twice, or with another meaning than in an earlier version. */
export function idProblems(content: FormContent, earlier: readonly FormContent[]): FormProblem[] {
  const pages = content.pages.map(({ id }, index) => ({ id, path: `pages[${index}].id` }));
  const items = placedItems(content).map(({ item, path }) => ({ id: item.id, path: `${path}.id` }));
  return [
    ...[...repeated(pages, ({ id }) => id), ...repeated(items, ({ id }) => id)].map(({ id, path }) => ({
      path,
      message: `${id} is used twice`,
    })),
    ...optionIdProblems(content),
    ...nameProblems(content),
    ...meaningProblems(content, earlier),
  ];
}

import { waiverFieldNames, webhookGuestFieldNames } from '@waiver-service/core';
import type { AgreeItem, AskItem, FormContent, Item } from '../content.ts';
import { signingLimits } from '../limits.ts';
import { propertyKinds } from '../names.ts';
import { namedAnswers } from './condition-problems.ts';
import { type FormProblem, isAsk, isUnconditional, type Placed, placedItems } from './placed-items.ts';

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

const isAgree = (placed: Placed): placed is Placed<AgreeItem> => placed.item.type === 'agree';

type Refusal = readonly [when: boolean, field: string, message: string];
const asProblems = (path: string, refusals: readonly Refusal[]): FormProblem[] =>
  refusals
    .filter(([when]) => when)
    .map(([, field, message]) => ({ path: field === '' ? path : `${path}.${field}`, message }));

/** The maximum for `max`; undefined if the kind has neither `min` nor `max`. */
function maxOf({ kind, property, options = [] }: AskItem): number | undefined {
  if (kind === 'text') return signingLimits.line;
  if (kind === 'long') return signingLimits.long;
  if (kind === 'choices') return options.length;
  if (kind !== 'number') return undefined;
  return property === undefined ? Number.POSITIVE_INFINITY : signingLimits.propertyMax[property];
}

function limitProblems({ item, path }: Placed<AskItem>): FormProblem[] {
  const { kind, min, max } = item;
  const most = maxOf(item);
  const limits = [min, max].filter((limit) => limit !== undefined);
  if (most === undefined) {
    return asProblems(path, [[limits.length > 0, '', `has a limit, but answers of kind ${kind} have none`]]);
  }
  const counts = kind !== 'number';
  const isFraction = limits.some((limit) => !Number.isInteger(limit));
  return asProblems(path, [
    [min !== undefined && max !== undefined && min > max, 'min', 'is above max'],
    [limits.some((limit) => limit > most), '', `has a limit above ${most}, the most that an answer may have`],
    [
      counts && (isFraction || limits.some((limit) => limit < 0)),
      '',
      'has a limit that is not a whole number of 0 or more',
    ],
    // A version is stored as canonical JSON, which has only whole numbers.
    [!counts && isFraction, '', 'has a limit that is not a whole number'],
    [item.property !== undefined && !counts && (min ?? 1) <= 0, 'min', 'must be above 0'],
    [kind === 'choices' && max === 0, 'max', 'is 0, so that nothing can be chosen'],
  ]);
}

function askProblems(placed: Placed<AskItem>): FormProblem[] {
  const { item, path } = placed;
  const { kind, property, options, sensitive, flag, keepDays } = item;
  const hasOptions = kind === 'choice' || kind === 'choices';
  const kinds: readonly string[] | undefined = property && propertyKinds[property];
  const answers = namedAnswers(item) ?? [];
  const unknown = flag?.on.filter((id) => !answers.includes(id)) ?? [];
  return [
    ...asProblems(path, [
      [hasOptions && options === undefined, 'options', 'are missing'],
      [!hasOptions && options !== undefined, 'options', `have no meaning for the kind ${kind}`],
      [kinds?.includes(kind) === false, 'property', `${property} must be of kind ${kinds?.join(' or ')}`],
      [
        sensitive !== undefined && property !== undefined,
        'property',
        'is part of a waiver, which a health answer never is',
      ],
      [sensitive !== undefined && kind === 'photo', 'sensitive', 'photos cannot be health answers'],
      [keepDays !== undefined && sensitive === undefined, 'keepDays', 'applies to health answers only'],
      [unknown.length > 0, 'flag', `names ${unknown.join(', ')}, which this cannot be answered with`],
    ]),
    ...limitProblems(placed),
  ];
}

function consentProblems(content: FormContent): FormProblem[] {
  const items = placedItems(content);
  const agrees = items.filter(isAgree);
  const firstSignature = items.findIndex(({ item }) => item.type === 'sign');
  const isElectronic = ({ item }: Placed) =>
    item.type === 'agree' && item.act === 'electronic' && item.required;
  const consentAt = items.findIndex((placed) => isElectronic(placed) && isUnconditional(placed));
  const message = 'lack a required consent of act electronic, without a condition, above the first signature';
  return [
    ...(consentAt === -1 || (firstSignature !== -1 && firstSignature < consentAt)
      ? [{ path: 'pages', message }]
      : []),
    ...agrees
      .filter(({ item }) => item.required && (item.act === 'marketing' || item.act === 'photos'))
      .map(({ item, path }) => ({
        path: `${path}.required`,
        message: `a consent to ${item.act} must be free: it cannot be required`,
      })),
  ];
}

const sameWhen = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Health questions need a consent above that is shown whenever they are. */
function healthConsentProblems(content: FormContent): FormProblem[] {
  const items = placedItems(content);
  return items.flatMap(({ item, page, path }, index) => {
    if (item.type !== 'ask' || item.sensitive === undefined) return [];
    const hasConsent = items.slice(0, index).some((above) => {
      if (above.item.type !== 'agree' || above.item.act !== 'health' || !above.item.required) return false;
      const [ofPage, ofItem] = [above.page.when, above.item.when];
      return (
        (ofPage === undefined || sameWhen(ofPage, page.when)) &&
        (ofItem === undefined || sameWhen(ofItem, item.when))
      );
    });
    const message =
      'is a health question: it needs a required consent of act health above, without a condition or with the same';
    return hasConsent ? [] : [{ path, message }];
  });
}

function photoProblems(content: FormContent): FormProblem[] {
  const { minors, maxMinors } = content.people;
  const guests = minors === 'guardian' ? 1 + maxMinors : 1;
  const count = placedItems(content)
    .filter(isAsk)
    .filter(({ item }) => item.kind === 'photo')
    .reduce((sum, { item }) => sum + (item.per === 'guest' ? guests : 1), 0);
  const message = `ask for up to ${count} photos in one signing, where ${signingLimits.photos} is the most`;
  return count > signingLimits.photos ? [{ path: 'pages', message }] : [];
}

/** Invalid questions and consents, and missing consents. */
export function itemProblems(content: FormContent): FormProblem[] {
  return [
    ...content.pages.flatMap(({ items }, index) =>
      items.length === 0 ? [{ path: `pages[${index}].items`, message: 'are missing' }] : [],
    ),
    ...placedItems(content).filter(isAsk).flatMap(askProblems),
    ...consentProblems(content),
    ...healthConsentProblems(content),
    ...photoProblems(content),
  ];
}

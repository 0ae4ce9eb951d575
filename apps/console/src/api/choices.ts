import { errorTexts, texts } from '../text/english.ts';
import { serviceNow } from './client.ts';
import type {
  AlertEvent,
  DeliveryKind,
  DeliveryState,
  ErrorCode,
  OverviewWindow,
  Role,
  WaiverState,
} from './resources.ts';

// The API's values are types here: each value has a text, or this does not compile, and the texts list the values.
export const namesOf = <Name extends string>(named: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(named).filter((name): name is Name => name in named);

export const alertEvents = namesOf<AlertEvent>(texts.alertEvents);
export const deliveryKinds = namesOf<DeliveryKind>(texts.deliveryKinds);
export const deliveryStates = namesOf<DeliveryState>(texts.deliveryStates);
export const errorCodes = namesOf<ErrorCode>(errorTexts);
export const roles = namesOf<Role>(texts.roles);

/** The states of records, and `erased`, for waivers of which no record is left. */
export type ListedState = WaiverState | 'erased';
export const listedStates = namesOf<ListedState>(texts.waiverStates);

export const overviewWindows: readonly OverviewWindow[] = ['1h', '24h', '7d'];

/** Which guests of a day are shown, if not all. */
export const shownGuests = ['missing', 'not-arrived', 'flags'] as const;
export type ShownGuests = (typeof shownGuests)[number];

/** How far back a list reaches. */
export const periods = ['1h', '24h', '7d', '30d'] as const;
export type Period = (typeof periods)[number];

/** A list's filter, with a period that ends whenever the list is read in place of fixed times. */
export type WithPeriod<Filter> = Omit<Filter, 'since' | 'until'> & { readonly period?: Period | undefined };

const hourMs = 3_600_000;
const lengthMs: Readonly<Record<Period, number>> = {
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 7 * 24 * hourMs,
  '30d': 30 * 24 * hourMs,
};

/** The start of a period that ends now. */
export const sinceOf = (
  period: Period | undefined,
  now: number = serviceNow().getTime(),
): string | undefined => (period === undefined ? undefined : new Date(now - lengthMs[period]).toISOString());

/** A text parameter, or `undefined`. Accepts numbers, since the router parses `42` as one. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** Reads the parameter if it is one of `values`. */
export const oneOf =
  <Value extends string>(values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((one) => one === value);

/** A date parameter, such as `2027-06-12`. */
export function dayIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}

/** A form version parameter: a number, `draft`, or `none`. */
export function versionIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^([1-9]\d{0,8}|draft|none)$/.test(text) ? text : undefined;
}

/** An HTTP status; undefined for anything else. */
export function statusIn(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined;
}

export const deliverySearch = {
  state: oneOf(deliveryStates),
  kind: oneOf(deliveryKinds),
  destination: textIn,
  waiverId: textIn,
  errorCode: oneOf(errorCodes),
  status: statusIn,
  period: oneOf(periods),
};

export type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

/** The search parameters of a page; each is optional. */
type SearchOf<Read extends Readers> = { readonly [Name in keyof Read]?: ReturnType<Read[Name]> };

/** Creates a page's `validateSearch`: one reader for each parameter, which ignores what is invalid. */
export const searchOf =
  <Read extends Readers>(readers: Read) =>
  (search: Readonly<Record<string, unknown>>): SearchOf<Read> => {
    const read: unknown[][] = Object.entries(readers).map(([name, reader]) => [name, reader(search[name])]);
    return Object.fromEntries(read);
  };

import { deliveryKinds, deliveryStates, errorCodes, periods } from '../api/choices.ts';

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

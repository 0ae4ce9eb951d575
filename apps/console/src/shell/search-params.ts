/** A text of the address; `undefined` where there is none. A number is one too: the router reads `42` as such. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' ? String(value) : undefined;
}

/** A value of the address, if it is one of these. */
export const oneOf = <Value extends string>(values: readonly Value[], value: unknown): Value | undefined =>
  values.find((one) => one === value);

/** A day of the address, such as `2027-06-12`. */
export function dayIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) ? text : undefined;
}

/** A version of a form in the address: its number, `draft`, or `none`. */
export function versionIn(value: unknown): string | undefined {
  const text = textIn(value);
  return text !== undefined && /^([1-9]\d{0,8}|draft|none)$/.test(text) ? text : undefined;
}

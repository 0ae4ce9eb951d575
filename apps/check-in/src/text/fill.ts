/** Replaces each `{name}` of a text by the value of that name; a placeholder without a value stays. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));

/** A text that differs for one, with its `{count}` filled in. */
export const fillCounted = (text: { readonly one: string; readonly other: string }, count: number): string =>
  fill(count === 1 ? text.one : text.other, { count });

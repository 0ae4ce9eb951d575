import { textOf } from '@waiver-service/plugin-kit';

/** A whole number, or one in a text; `undefined` for anything else. */
export function countOf(value: unknown): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

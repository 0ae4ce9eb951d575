import { textOf } from '@waiver-service/plugin-kit';

/** An integer, given as a number or a text; `undefined` for anything else. */
export function countOf(value: unknown): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;
}

import { textOf } from './text-of.ts';

/** The JSON value of an answer, or its text where it is not JSON. */
export function parseBody(body: Buffer): unknown {
  const text = textOf(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

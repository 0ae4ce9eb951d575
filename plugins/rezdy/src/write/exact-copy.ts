import { isJsonObject } from '@waiver-service/plugin-kit';

// JSON.stringify overflows the stack at depths that JSON.parse still reads.
const maxDepth = 100;

// An integer beyond the safe range has already lost digits.
const isExact = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value);

/** Why an order cannot be sent back unchanged, as part of a sentence; `undefined` if it can. */
export function reasonNotToCopy(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'number') {
    return isExact(value) ? undefined : `${path} is a number that cannot be sent back exactly`;
  }
  if (!Array.isArray(value) && !isJsonObject(value)) return undefined;
  if (depth >= maxDepth) return `${path} is nested too deeply`;
  for (const [name, inner] of Object.entries(value)) {
    const reason = reasonNotToCopy(inner, path === '' ? name : `${path}.${name}`, depth + 1);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

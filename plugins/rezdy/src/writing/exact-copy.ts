import * as kit from '@waiver-service/plugin-kit';

// JSON.stringify overflows its stack on what JSON.parse still reads.
const maxDepth = 100;

/**
 * What keeps an order from being sent back as it came, in words; `undefined` where nothing does. A number beyond what
 * JavaScript holds exactly has lost digits on the way, and would be written with other ones.
 */
export function refusalToCopy(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    return isExact ? undefined : `${path} is a number that cannot be sent back exactly`;
  }
  const isNested = Array.isArray(value) || kit.isJsonObject(value);
  if (!isNested) return undefined;
  if (depth >= maxDepth) return `${path} is nested too deeply`;
  for (const [name, inner] of Object.entries(value)) {
    const refusal = refusalToCopy(inner, path === '' ? name : `${path}.${name}`, depth + 1);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

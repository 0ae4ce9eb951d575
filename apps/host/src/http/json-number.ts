/** Replaces a number in a parsed body that JavaScript cannot represent exactly. */
export class InexactNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

// Only text that matches can contain such a number; parsing every body with a reviver would be too slow.
const suspicious = /\d{16}|\.\d{14}|\d[eE]/;

/** The significant digits and the power of ten of a number: the same text for all spellings of a number. */
function canonical(source: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${sign}${significant}e${power}`;
}

/** Whether a number written as `source` reads back as the same number. */
export function isExactNumber(source: string): boolean {
  return canonical(source) === canonical(String(Number(source)));
}

/**
 * Parses JSON. A number that would silently change is replaced by an {@link InexactNumber}.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!suspicious.test(text)) return JSON.parse(text);
  return JSON.parse(text, (...[, value, context]: unknown[]) => {
    if (typeof value !== 'number' || typeof context !== 'object' || context === null) return value;
    const source = 'source' in context ? context.source : undefined;
    return typeof source === 'string' && !isExactNumber(source) ? new InexactNumber(source) : value;
  });
}

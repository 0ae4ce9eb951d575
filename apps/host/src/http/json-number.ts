import { randomUUID } from 'node:crypto';

/** Replaces a number in a parsed body that JavaScript cannot represent exactly. */
export class InexactNumber {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Whether text may contain such a number. One pattern with both alternatives would take five times as long. */
const isSuspicious = (text: string) => /\d{14}/.test(text) || /\d[eE]/.test(text);
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Before an inexact number, while it is a string. No body can contain it. */
const marker = randomUUID();

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
  const written = String(Number(source));
  return written === source || canonical(source) === canonical(written);
}

/** The index after the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

/** The text, in which inexact numbers are strings behind the {@link marker}. */
function withMarks(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (let from = 0; from < text.length; ) {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    const between = text.slice(from, end);
    if (isSuspicious(between)) {
      for (const { 0: source, index } of between.matchAll(number)) {
        if (!isSuspicious(source) || isExactNumber(source)) continue;
        parts.push(text.slice(done, from + index), `"${marker}${source}"`);
        done = from + index + source.length;
      }
    }
    from = quote === -1 ? text.length : endOfString(text, quote);
  }
  return parts.length === 0 ? text : `${parts.join('')}${text.slice(done)}`;
}

function withoutMarks(value: unknown): unknown {
  if (typeof value === 'string')
    return value.startsWith(marker) ? new InexactNumber(value.slice(marker.length)) : value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, inner] of Object.entries(value)) {
    const read = withoutMarks(inner);
    // Also where the name is `__proto__`.
    if (read !== inner) Object.defineProperty(value, name, { value: read });
  }
  return value;
}

/**
 * Parses JSON. A number that would silently change is replaced by an {@link InexactNumber}. A reviver, which can see how
 * a number was written, would keep the process busy for seconds with the strokes of a large signing.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!isSuspicious(text)) return value;
  const marked = withMarks(text);
  return marked === text ? value : withoutMarks(JSON.parse(marked));
}

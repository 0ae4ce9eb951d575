// Anything else is a way to write a second header, or bytes that the two ends read differently.
const carriable = /^[\t\x20-\x7e]*$/;

/** The name of the first header whose value HTTP cannot carry: a line break, a control or a character beyond ASCII. */
export function findUnsendableHeader(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([, value]) => !carriable.test(value))?.[0];
}

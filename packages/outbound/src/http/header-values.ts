// Anything else is a way to write a second header, or bytes that the two ends read differently.
const carriable = /^[\t\x20-\x7e]*$/;

/**
 * The name of the first header whose value HTTP cannot carry: a line break, a control or a character beyond ASCII.
 * @param wire - name, value, name, value
 */
export function findUnsendableHeader(wire: readonly string[]): string | undefined {
  const value = wire.findIndex((text, place) => place % 2 === 1 && !carriable.test(text));
  return wire[value - 1];
}

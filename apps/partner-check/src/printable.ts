const unprintable = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu;

/**
 * A text from a booking system as one line that a terminal shows as it is: line breaks, escape codes and marks that
 * turn the direction of writing are shown by their code, so that none of it can pass for the report's own lines.
 */
export const printable = (text: string): string =>
  text.replace(unprintable, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** {@link printable} for each line of a text that the program itself has broken into lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

type Field = string | number | Date | undefined;

// A spreadsheet evaluates a text that begins like this as a formula, and callers may have written it. Some read
// full-width and small signs as the usual ones, and skip white space and what cannot be seen before them.
const beginsFormula =
  /^[\t\r\n]|^[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff1d\uff0b\uff0d\uff20]/u;

function csvField(field: Field): string {
  const text = field instanceof Date ? field.toISOString() : String(field ?? '');
  const shown = typeof field === 'string' && beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A CSV line (RFC 4180). Texts that a spreadsheet would evaluate as formulas get a leading apostrophe. */
export const csvLine = (fields: readonly Field[]): string => `${fields.map(csvField).join(',')}\r\n`;

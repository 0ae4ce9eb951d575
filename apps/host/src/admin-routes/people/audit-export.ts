type Field = string | number | Date | undefined;

// A spreadsheet evaluates a text that begins like this as a formula, and callers may have written it.
const beginsFormula = /^[=+\-@\t\r]/;

function csvField(field: Field): string {
  const text = field instanceof Date ? field.toISOString() : String(field ?? '');
  const shown = typeof field === 'string' && beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A CSV line (RFC 4180). Texts that a spreadsheet would evaluate as formulas get a leading apostrophe. */
export const csvLine = (fields: readonly Field[]): string => `${fields.map(csvField).join(',')}\r\n`;

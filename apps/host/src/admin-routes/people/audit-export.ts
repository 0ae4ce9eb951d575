type Field = string | number | Date | undefined;

// Spreadsheets take a text that begins so for a formula, and what a caller wrote could be one.
const beginsFormula = /^[=+\-@\t\r]/;

function csvField(field: Field): string {
  const text = field instanceof Date ? field.toISOString() : String(field ?? '');
  const shown = typeof field === 'string' && beginsFormula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A line of CSV (RFC 4180), with texts that a spreadsheet would take for formulas behind an apostrophe. */
export const csvLine = (fields: readonly Field[]): string => `${fields.map(csvField).join(',')}\r\n`;

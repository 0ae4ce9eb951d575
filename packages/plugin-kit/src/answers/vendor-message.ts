const maxLength = 200;

// Cuts at a word boundary: redaction would not recognize half a key.
function truncate(text: string): string {
  if (text.length <= maxLength) return text;
  const start = text.slice(0, maxLength + 1);
  return `${start.slice(0, Math.max(start.search(/\s\S*$/), 0))}…`;
}

/** The vendor's own error message, as a suffix for ours; empty if there is none. */
export const quoteVendorMessage = (vendorMessage = ''): string =>
  vendorMessage === '' ? '' : `, saying ${JSON.stringify(truncate(vendorMessage))}`;

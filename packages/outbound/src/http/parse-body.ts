const decoder = new TextDecoder();

/** Decodes UTF-8 without a byte order mark; invalid bytes become U+FFFD. */
export const textOf = (bytes: Buffer): string => decoder.decode(bytes);

/** The JSON value of a response body, or its text if it is not JSON. */
export function parseBody(body: Buffer): unknown {
  const text = textOf(body);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

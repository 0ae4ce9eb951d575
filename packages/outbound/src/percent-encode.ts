/**
 * Percent-encodes everything except RFC 3986's unreserved characters, so that any text is one path segment or one query
 * value. Throws a URIError for a lone surrogate, which UTF-8 cannot represent.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/**
 * Percent-encodes a text so that nothing but RFC 3986's unreserved characters stays raw: it is then one path segment
 * or one query value, whatever it holds. A lone surrogate, which UTF-8 cannot carry, throws a URIError.
 */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

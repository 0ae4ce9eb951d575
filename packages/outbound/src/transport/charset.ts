import { TextDecoder } from 'node:util';

const utf8 = 'utf-8';

// Web servers declare one of these by default, also for JSON that is UTF-8. What is valid UTF-8 is hardly ever meant so.
const isDefaultCharset = /^(?:iso-8859|windows-125)/;

/** The charset of a UTF-16 byte order mark, which overrides what is declared. */
function markedCharset(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Whether a body begins with a byte order mark of UTF-16. */
export const hasByteOrderMark = (bytes: Buffer): boolean => markedCharset(bytes) !== undefined;

const declaredCharset = (contentType: string) =>
  /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,]+))/i
    .exec(contentType)
    ?.slice(1)
    .find((value) => value !== undefined)
    ?.trim();

function decoderOf(charset: string, fatal: boolean): TextDecoder | undefined {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return undefined;
  }
}

const strictUtf8 = new TextDecoder(utf8, { fatal: true });

function isUtf8(bytes: Buffer): boolean {
  try {
    strictUtf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The charset of a body: that of its byte order mark, the declared one, or `utf-8`. */
export function charsetOf(bytes: Buffer, contentType: string | undefined): string {
  const charset = markedCharset(bytes) ?? declaredCharset(contentType ?? '') ?? utf8;
  const encoding = decoderOf(charset, false)?.encoding;
  if (encoding === undefined) return bytes.every((byte) => byte < 0x80) ? utf8 : charset;
  return isDefaultCharset.test(encoding) && isUtf8(bytes) ? utf8 : encoding;
}

/**
 * Decodes a body; `undefined` if the charset is not known.
 *
 * @param charset - of {@link charsetOf}
 * @throws TypeError if `fatal`, and the bytes are not of the charset; without it they become U+FFFD
 */
export const decodeText = (bytes: Buffer, charset: string, fatal = false): string | undefined =>
  decoderOf(charset, fatal)?.decode(bytes);

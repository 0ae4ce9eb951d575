import { promisify, TextDecoder } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import type { AnswerHeaders, TransportResult } from './transport.ts';

const utf8 = 'utf-8';

// Web servers declare one of these by default, also for JSON that is UTF-8. What is valid UTF-8 is hardly ever meant so.
const isDefaultCharset = /^(?:iso-8859|windows-125)/;

/** The charset of a UTF-16 byte order mark, which overrides what is declared. */
function markedCharset(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** Whether a body begins with a byte order mark of UTF-16. */
const hasByteOrderMark = (bytes: Buffer): boolean => markedCharset(bytes) !== undefined;

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

/** Why a body cannot be read. */
export interface DecodingProblem {
  /** Follows the name of the other end. */
  readonly sentence: string;
  readonly isTooLarge: boolean;
}

const unpackGzip = promisify(gunzip);
const unpackZlib = promisify(inflate);
const unpackDeflate = promisify(inflateRaw);
const unpackBrotli = promisify(brotliDecompress);

type Unpack = (bytes: Buffer, limit: { readonly maxOutputLength: number }) => Promise<Buffer>;

const unpackers: Readonly<Record<string, Unpack>> = {
  gzip: unpackGzip,
  'x-gzip': unpackGzip,
  br: unpackBrotli,
  // Some servers send it without zlib's two bytes of header, whose sum is a multiple of 31.
  deflate: (bytes, limit) =>
    bytes.length >= 2 && bytes.readUInt16BE() % 31 === 0 && (bytes.readUInt8() & 15) === 8
      ? unpackZlib(bytes, limit)
      : unpackDeflate(bytes, limit),
};

const headerOf = (headers: AnswerHeaders, name: string): string => {
  const value = headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(',');
};

const isBufferFull = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

/** Undoes the compressions of a body, the last one first. Each step stays within the limit. */
async function unpack(body: Buffer, encoding: string, maxBytes: number): Promise<Buffer | DecodingProblem> {
  const named = `answered compressed (${JSON.stringify(encoding)})`;
  let bytes = body;
  for (const name of encoding.toLowerCase().split(',').toReversed()) {
    const coding = name.trim();
    if (coding === '' || coding === 'identity') continue;
    const undo = Object.hasOwn(unpackers, coding) ? unpackers[coding] : undefined;
    if (undo === undefined) {
      return { sentence: `${named}, although nothing compressed was asked for`, isTooLarge: false };
    }
    try {
      bytes = await undo(bytes, { maxOutputLength: maxBytes });
    } catch (error) {
      return isBufferFull(error)
        ? { sentence: `${named} with more than may be read`, isTooLarge: true }
        : { sentence: `${named}, and it cannot be unpacked`, isTooLarge: false };
    }
  }
  return bytes;
}

/** Converts a body to UTF-8. */
function toUtf8(bytes: Buffer, contentType: string): Buffer | DecodingProblem {
  const charset = charsetOf(bytes, contentType);
  if (charset === 'utf-8') return bytes;
  const text = decodeText(bytes, charset);
  if (text !== undefined) return Buffer.from(text);
  return {
    sentence: `answered in the charset ${JSON.stringify(charset)}, which is not known here: have it answer in UTF-8`,
    isTooLarge: false,
  };
}

/** Whether {@link decodeBody} would change anything. Nearly every response is plain UTF-8. */
export const isEncoded = ({ headers, body }: TransportResult): boolean =>
  body.length > 0 &&
  (headers['content-encoding'] !== undefined ||
    /charset/i.test(headerOf(headers, 'content-type')) ||
    hasByteOrderMark(body));

/**
 * Unpacks a body that is compressed, although nothing compressed is asked for, and converts it to UTF-8 from the charset
 * that is declared for it. What is not UTF-8 although it should be is left to the reader, to whom it is U+FFFD.
 */
export async function decodeBody(
  { headers, body }: Pick<TransportResult, 'headers' | 'body'>,
  maxBytes: number,
): Promise<Buffer | DecodingProblem> {
  const unpacked = await unpack(body, headerOf(headers, 'content-encoding'), maxBytes);
  return Buffer.isBuffer(unpacked) ? toUtf8(unpacked, headerOf(headers, 'content-type')) : unpacked;
}

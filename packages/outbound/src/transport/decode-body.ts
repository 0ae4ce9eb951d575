import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { charsetOf, decodeText, hasByteOrderMark } from './charset.ts';
import type { AnswerHeaders, TransportResult } from './transport.ts';

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

const headerOf = (headers: AnswerHeaders, name: string) => [headers[name] ?? []].flat().join(',');

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

import { randomBytes } from 'node:crypto';
import {
  type Element,
  elementsOf,
  inside,
  oid,
  only,
  readToken,
  TimestampError,
  tag,
  take,
} from './stamp-token.ts';

export { TimestampError } from './stamp-token.ts';

/** A request to a stamp server, against which the answer is checked. */
export interface TimestampRequest {
  /** Hex SHA-256 of the stamped data. */
  readonly hash: string;
  /** Hex, 8 bytes: an answer to another request cannot pass for this one's. */
  readonly nonce: string;
  /** The body, of type `application/timestamp-query`. */
  readonly der: Uint8Array;
}

/** An RFC 3161 request for a stamp of a SHA-256, asking for the server's certificate. */
export function timestampRequest(hash: string, random: Uint8Array = randomBytes(8)): TimestampRequest {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new TypeError('a stamp is of a SHA-256 in hex');
  const nonce = Buffer.from(random.subarray(0, 8));
  // Positive, without a leading zero: exactly 8 bytes in DER.
  nonce.writeUInt8((nonce.readUInt8(0) & 0x3f) | 0x40, 0);
  const imprint = `3031300d0609${oid.sha256}05000420${hash}`;
  const der = Buffer.from(`3043020101${imprint}0208${nonce.toString('hex')}0101ff`, 'hex');
  return { hash, nonce: nonce.toString('hex'), der };
}

/** @throws TimestampError unless the stamp was granted */
function checkStatus(info: readonly Element[]): void {
  const status = take(info, 0, tag.integer, 'status').body.toString('hex');
  // 0: granted; 1: granted with modifications.
  if (status === '00' || status === '01') return;
  const texts = info[1]?.tag === tag.sequence ? elementsOf(info[1].body) : [];
  const said = texts
    .filter((one) => one.tag === tag.text)
    .map(({ body }) => body.toString())
    .join(' ');
  throw new TimestampError(
    `the stamp server refused, status ${Number.parseInt(status, 16)}: ${said || 'it gives no reason'}`,
  );
}

export interface Timestamp {
  /** The stamp server's clock. */
  readonly at: Date;
  /** The token (CMS, DER), as proof for others. */
  readonly token: Uint8Array;
}

/**
 * Reads a stamp server's answer (`application/timestamp-reply`), whose token must be signed with the key of a
 * certificate in it. Whose certificate that is, is not checked: only someone who decides which authority to trust can
 * do that, with `openssl ts -verify`.
 *
 * @throws TimestampError with the reason why the answer is not a stamp for this request
 */
export function readTimestamp(answer: Uint8Array, { hash, nonce }: TimestampRequest): Timestamp {
  const response = elementsOf(only(answer, tag.sequence, 'response').body);
  checkStatus(inside(response, 0, tag.sequence, 'status'));
  const { der } = take(response, 1, tag.sequence, 'token');
  const token = readToken(der);
  if (token.hash !== hash) throw new TimestampError('the stamp is for another hash');
  if (!token.integers.includes(nonce))
    throw new TimestampError('the stamp is for another request: its nonce is not the one that was sent');
  token.checkSignature();
  return { at: token.at, token: Buffer.from(der) };
}

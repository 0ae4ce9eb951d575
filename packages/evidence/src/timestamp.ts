import { randomBytes } from 'node:crypto';

/** A time stamp was refused, belongs to another request, or is invalid. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

const oid = {
  sha256: '608648016503040201',
  signedData: '2a864886f70d010702',
  timestampInfo: '2a864886f70d0109100104',
};
const tag = { integer: 2, octets: 4, oid: 6, text: 12, time: 24, sequence: 48, content: 160 };

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

interface Element {
  readonly tag: number;
  /** The whole element. */
  readonly der: Buffer;
  readonly body: Buffer;
}

/** @throws TimestampError if the bytes are not DER, such as BER's indefinite lengths */
function elementsOf(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [kind, short] = [bytes[at], bytes[at + 1]];
    const lengthBytes = short === undefined || short < 128 ? 0 : short - 128;
    const start = at + 2 + lengthBytes;
    if (kind === undefined || short === undefined || short === 128 || lengthBytes > 4 || start > bytes.length)
      throw new TimestampError('the answer is not DER');
    const end = start + (lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes));
    if (end > bytes.length) throw new TimestampError('the answer is cut off');
    elements.push({ tag: kind, der: bytes.subarray(at, end), body: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
}

/** The element at an index, which must have the expected tag. */
function take(elements: readonly Element[], index: number, expected: number, name: string): Element {
  const element = elements[index];
  if (element?.tag !== expected) throw new TimestampError(`the answer has no ${name}`);
  return element;
}

const inside = (elements: readonly Element[], index: number, expected: number, name: string) =>
  elementsOf(take(elements, index, expected, name).body);

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

/** DER's GeneralizedTime: UTC, with a point before fractions. */
function readTime(text: string): Date {
  const [, year, month, day, hours, minutes, seconds, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text) ?? [];
  const at = new Date(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${fraction.slice(0, 4)}Z`);
  if (Number.isNaN(at.getTime())) throw new TimestampError(`the stamp's time is not one: ${text}`);
  return at;
}

export interface Timestamp {
  /** The stamp server's clock. */
  readonly at: Date;
  /** The token (CMS, DER), as proof for others. */
  readonly token: Uint8Array;
}

/**
 * Reads a stamp server's answer (`application/timestamp-reply`). The token's signature is not checked: only someone who
 * decides which authority to trust can do that, with `openssl ts -verify`.
 *
 * @throws TimestampError with the reason why the answer is not a stamp for this request
 */
export function readTimestamp(answer: Uint8Array, { hash, nonce }: TimestampRequest): Timestamp {
  const response = inside(elementsOf(Buffer.from(answer)), 0, tag.sequence, 'response');
  checkStatus(inside(response, 0, tag.sequence, 'status'));
  const token = take(response, 1, tag.sequence, 'token');
  const content = elementsOf(token.body);
  if (take(content, 0, tag.oid, 'type').body.toString('hex') !== oid.signedData)
    throw new TimestampError('the token is not signed data');
  const signed = inside(inside(content, 1, tag.content, 'content'), 0, tag.sequence, 'signed data');
  const encapsulated = inside(signed, 2, tag.sequence, 'content of the token');
  if (take(encapsulated, 0, tag.oid, 'type of content').body.toString('hex') !== oid.timestampInfo)
    throw new TimestampError('the token is not a time stamp');
  const octets = inside(encapsulated, 1, tag.content, 'time stamp');
  const info = inside(inside(octets, 0, tag.octets, 'time stamp'), 0, tag.sequence, 'time stamp');
  const imprint = inside(info, 2, tag.sequence, 'imprint');
  const algorithm = take(inside(imprint, 0, tag.sequence, 'algorithm'), 0, tag.oid, 'algorithm');
  const digest = take(imprint, 1, tag.octets, 'hash');
  if (algorithm.body.toString('hex') !== oid.sha256 || digest.body.toString('hex') !== hash)
    throw new TimestampError('the stamp is for another hash');
  if (!info.slice(5).some((one) => one.tag === tag.integer && one.body.toString('hex') === nonce))
    throw new TimestampError('the stamp is for another request: its nonce is not the one that was sent');
  return {
    at: readTime(take(info, 4, tag.time, 'time').body.toString('latin1')),
    token: Buffer.from(token.der),
  };
}

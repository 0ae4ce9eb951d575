// Read by the verifier: depends only on node:crypto, like it.
import { constants, createHash, verify, X509Certificate } from 'node:crypto';

/** A time stamp was refused, belongs to another request, or is invalid. */
export class TimestampError extends Error {
  override readonly name = 'TimestampError';
}

/** Object identifiers in hex, without tag and length. */
export const oid = {
  sha256: '608648016503040201',
  signedData: '2a864886f70d010702',
  timestampInfo: '2a864886f70d0109100104',
  contentType: '2a864886f70d010903',
  messageDigest: '2a864886f70d010904',
  signingCertificate: '2a864886f70d010910020c',
  signingCertificateV2: '2a864886f70d010910022f',
  extendedKeyUsage: '551d25',
};
export const tag = {
  ...{ integer: 0x02, octets: 0x04, oid: 0x06, text: 0x0c, time: 0x18 },
  ...{ sequence: 0x30, set: 0x31, content: 0xa0, extensions: 0xa3 },
};
const digests: Readonly<Record<string, string>> = {
  [oid.sha256]: 'sha256',
  '608648016503040202': 'sha384',
  '608648016503040203': 'sha512',
};
const rsaPss = '2a864886f70d01010a';
const ed25519 = '2b6570';
/** RSA and ECDSA: the public key says which. Some name the digest as well, in their last byte. */
const plainSignature = /^(2a864886f70d0101(01|0b|0c|0d)|2a8648ce3d0403(02|03|04))$/;

/** The extension of a certificate that is for time stamps only (RFC 3161, 2.3): critical, and with no other usage. */
const onlyForStamps = '30160603551d250101ff040c300a06082b06010505070308';

export interface Element {
  readonly tag: number;
  /** The whole element. */
  readonly der: Buffer;
  readonly body: Buffer;
}

const cutOff = () => new TimestampError('the stamp is cut off');
const notDer = (why: string) => new TimestampError(`the stamp is not DER: ${why}`);

/** @throws TimestampError if the bytes are not DER: an indefinite length, or one that takes more bytes than needed */
export function elementsOf(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const [kind = 0, short] = bytes.subarray(at, at + 2);
    if (short === undefined) throw cutOff();
    if ((kind & 0x1f) === 0x1f) throw notDer('a tag of several bytes');
    if (short === 128) throw notDer('an indefinite length');
    const lengthBytes = short < 128 ? 0 : short - 128;
    if (lengthBytes > 4) throw notDer('a length of more than four bytes');
    const start = at + 2 + lengthBytes;
    if (start > bytes.length) throw cutOff();
    const length = lengthBytes === 0 ? short : bytes.readUIntBE(at + 2, lengthBytes);
    if (lengthBytes > 0 && (bytes[at + 2] === 0 || length < 128)) throw notDer('a length with leading zeros');
    const end = start + length;
    if (end > bytes.length) throw cutOff();
    elements.push({ tag: kind, der: bytes.subarray(at, end), body: bytes.subarray(start, end) });
    at = end;
  }
  return elements;
}

/** @throws TimestampError unless everything inside the elements is DER, too, whether it is read or not */
function requireDer(elements: readonly Element[]): void {
  for (const { tag: kind, body } of elements) if ((kind & 0x20) !== 0) requireDer(elementsOf(body));
}

/** The element at an index, which must have the expected tag. */
export function take(elements: readonly Element[], index: number, expected: number, name: string): Element {
  const element = elements[index];
  if (element?.tag !== expected) throw new TimestampError(`the stamp has no ${name}`);
  return element;
}

/** The elements inside the one at an index. */
export const inside = (elements: readonly Element[], index: number, expected: number, name: string) =>
  elementsOf(take(elements, index, expected, name).body);

/** The one element of which the bytes consist. */
export function only(bytes: Uint8Array, expected: number, name: string): Element {
  const elements = elementsOf(Buffer.from(bytes));
  if (elements.length > 1) throw new TimestampError(`the stamp has bytes after its ${name}`);
  return take(elements, 0, expected, name);
}

const within = (bytes: Buffer, expected: number, name: string) =>
  elementsOf(only(bytes, expected, name).body);
const oidOf = (elements: readonly Element[], index: number, name: string) =>
  take(elements, index, tag.oid, name).body.toString('hex');

/** DER's GeneralizedTime: UTC, with a point before fractions. */
function readTime(text: string): Date {
  const [, year, month, day, hours, minutes, seconds, fraction = ''] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d+)?Z$/.exec(text) ?? [];
  const second = `${year}-${month}-${day}T${hours}:${minutes}:${seconds}`;
  const at = new Date(`${second}${fraction.slice(0, 4)}Z`);
  // Date takes the 31st of February for a day of March.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(second))
    throw new TimestampError(`the stamp's time is not one: ${JSON.stringify(text)}`);
  return at;
}

/** Who signed the stamp: the certificate in it, which anyone can make. */
export interface StampSigner {
  readonly subject: string;
  /** SHA-256 of the certificate, in hex. */
  readonly fingerprint: string;
}

/** A time-stamp token of RFC 3161. */
export interface StampToken {
  /** Hex SHA-256 of the stamped data. */
  readonly hash: string;
  /** The stamp server's clock. */
  readonly at: Date;
  /** The integers behind the time, in hex, of which one is the nonce. */
  readonly integers: readonly string[];
  /**
   * Checks that what is stamped was signed, with the key of a certificate in the token.
   *
   * @throws TimestampError which says what does not fit
   */
  checkSignature(): StampSigner;
}

function certificatesOf(signed: readonly Element[]): readonly X509Certificate[] {
  const found = signed.slice(3).find((one) => one.tag === tag.content);
  return elementsOf(found?.body ?? Buffer.alloc(0)).flatMap(({ der }) => {
    try {
      return [new X509Certificate(der)];
    } catch {
      return [];
    }
  });
}

function isSignedBy(
  certificate: X509Certificate,
  algorithm: string,
  digest: string,
  message: Buffer,
  signature: Buffer,
) {
  const key = certificate.publicKey;
  try {
    if (algorithm === ed25519) return verify(null, message, key, signature);
    if (plainSignature.test(algorithm)) return verify(digest, message, key, signature);
    const pss = { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
    return verify(digest, message, pss, signature);
  } catch {
    return false;
  }
}

/** Whether the value of a signing certificate attribute (RFC 5035) names the certificate, which it does first. */
function isNamed({ raw }: X509Certificate, value: Buffer, type: string): boolean {
  const name = 'name of its certificate';
  const list = inside(within(value, tag.sequence, name), 0, tag.sequence, name);
  const id = inside(list, 0, tag.sequence, name);
  // The newer form may name a digest first; the older one has none.
  const hasDigest = type === oid.signingCertificateV2 && id[0]?.tag === tag.sequence;
  const usual = type === oid.signingCertificateV2 ? 'sha256' : 'sha1';
  const digest = hasDigest ? digests[oidOf(inside(id, 0, tag.sequence, name), 0, name)] : usual;
  const hash = take(id, hasDigest ? 1 : 0, tag.octets, name).body;
  return digest !== undefined && hash.equals(createHash(digest).update(raw).digest());
}

const contentOf = ({ raw }: X509Certificate) =>
  inside(within(raw, tag.sequence, 'certificate'), 0, tag.sequence, 'certificate');

/** Whether issuer and serial number, which are not signed, are those of the certificate. */
function isOf(certificate: X509Certificate, { body }: Element): boolean {
  const content = contentOf(certificate);
  const [serial, , issuer] = content[0]?.tag === tag.content ? content.slice(1) : content;
  return serial !== undefined && issuer !== undefined && body.equals(Buffer.concat([issuer.der, serial.der]));
}

function isOnlyForStamps(certificate: X509Certificate): boolean {
  const content = contentOf(certificate);
  const extensions = content
    .filter((one) => one.tag === tag.extensions)
    .flatMap(({ body }) => within(body, tag.sequence, 'extensions'));
  const usages = extensions.filter(
    ({ body }) => oidOf(elementsOf(body), 0, 'extension') === oid.extendedKeyUsage,
  );
  return usages.map(({ der }) => der.toString('hex')).join() === onlyForStamps;
}

function checkSignature(signed: readonly Element[], info: Buffer): StampSigner {
  const signers = elementsOf(take(signed, signed.length - 1, tag.set, 'signer').body);
  if (signers.length !== 1) throw new TimestampError(`the stamp has ${signers.length} signers`);
  const signer = inside(signers, 0, tag.sequence, 'signer');
  const digest = digests[oidOf(inside(signer, 2, tag.sequence, 'digest'), 0, 'digest')];
  if (digest === undefined) throw new TimestampError('the stamp is signed by a digest that is not known');
  const attributes = take(signer, 3, tag.content, 'signed attributes');
  const valuesOf = (type: string, name: string) =>
    elementsOf(attributes.body)
      .map(({ body }) => elementsOf(body))
      .filter((attribute) => oidOf(attribute, 0, 'attribute') === type)
      .map((attribute) => take(attribute, 1, tag.set, name).body);
  const attributeOf = (type: string, name: string) => {
    const [value, ...more] = valuesOf(type, name);
    if (value === undefined || more.length > 0)
      throw new TimestampError(`the stamp has ${value ? more.length + 1 : 0} times a ${name}`);
    return value;
  };
  if (only(attributeOf(oid.contentType, 'type'), tag.oid, 'type').body.toString('hex') !== oid.timestampInfo)
    throw new TimestampError('the stamp is signed as something else');
  const sealed = only(attributeOf(oid.messageDigest, 'digest'), tag.octets, 'digest').body;
  if (!sealed.equals(createHash(digest).update(info).digest()))
    throw new TimestampError('the stamp was changed after it was signed');
  const algorithm = oidOf(inside(signer, 4, tag.sequence, 'signature'), 0, 'signature');
  if (algorithm !== ed25519 && algorithm !== rsaPss && !plainSignature.test(algorithm))
    throw new TimestampError('the stamp is signed by an algorithm that is not known');
  // What is signed is a SET; in the token, its tag says where it stands.
  const message = Buffer.concat([Buffer.from([tag.set]), attributes.der.subarray(1)]);
  const signature = take(signer, 5, tag.octets, 'signature').body;
  const signing = certificatesOf(signed).filter((one) =>
    isSignedBy(one, algorithm, digest, message, signature),
  );
  if (signing.length === 0) throw new TimestampError('no certificate in the stamp has signed it');
  // Anyone can add a certificate with the same key: what was signed says which one is meant.
  const names = [oid.signingCertificate, oid.signingCertificateV2].flatMap((type) =>
    valuesOf(type, 'name of its certificate').map((value) => ({ type, value })),
  );
  if (names.length === 0) throw new TimestampError('the stamp has no name of its certificate');
  const by = signing.find((one) => names.every(({ type, value }) => isNamed(one, value, type)));
  // Instead, a key's identifier may stand here.
  const isOther = by && signer[1]?.tag === tag.sequence && !isOf(by, signer[1]);
  if (by === undefined || isOther)
    throw new TimestampError('the stamp names another certificate than the one that signed it');
  if (!isOnlyForStamps(by))
    throw new TimestampError('the stamp is signed with a certificate that is not for time stamps only');
  const { subject, fingerprint256 } = by;
  return {
    subject: subject.replaceAll('\n', ', '),
    fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
  };
}

/**
 * Reads a time-stamp token (CMS, DER): one element of exact length, with the tags and types of RFC 3161.
 *
 * @throws TimestampError with the reason why it is none
 */
export function readToken(token: Uint8Array): StampToken {
  const whole = only(token, tag.sequence, 'token');
  requireDer([whole]);
  const content = elementsOf(whole.body);
  if (oidOf(content, 0, 'type') !== oid.signedData) throw new TimestampError('the token is not signed data');
  const signed = within(take(content, 1, tag.content, 'content').body, tag.sequence, 'signed data');
  const encapsulated = inside(signed, 2, tag.sequence, 'content of the token');
  if (oidOf(encapsulated, 0, 'type of content') !== oid.timestampInfo)
    throw new TimestampError('the token is not a time stamp');
  const octets = take(encapsulated, 1, tag.content, 'time stamp').body;
  const stamped = only(octets, tag.octets, 'time stamp').body;
  const info = within(stamped, tag.sequence, 'time stamp');
  if (take(info, 0, tag.integer, 'version').body.toString('hex') !== '01')
    throw new TimestampError('the stamp is of another version');
  const imprint = inside(info, 2, tag.sequence, 'imprint');
  if (oidOf(inside(imprint, 0, tag.sequence, 'algorithm'), 0, 'algorithm') !== oid.sha256)
    throw new TimestampError('the stamp is for another hash');
  return {
    hash: take(imprint, 1, tag.octets, 'hash').body.toString('hex'),
    at: readTime(take(info, 4, tag.time, 'time').body.toString('latin1')),
    integers: info.slice(5).flatMap((one) => (one.tag === tag.integer ? [one.body.toString('hex')] : [])),
    checkSignature: () => checkSignature(signed, stamped),
  };
}

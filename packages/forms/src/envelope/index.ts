/**
 * An envelope that a device seals for a pool and cannot open again: ECDH on P-256 with an ephemeral key pair,
 * HKDF-SHA256, AES-256-GCM. All browsers of recent years support these, on pages served over HTTPS.
 *
 * As bytes: the version, the ephemeral public key (65), the iv (12), the ciphertext with its tag.
 */

const version = 1;
const pointBytes = 65;
const ivBytes = 12;
const headBytes = 1 + pointBytes + ivBytes;
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const;
const context = 'waiver-service sealed signing v1';

/** The public key of a pool, with which its guests' devices seal. */
export interface SealingKey {
  readonly id: string;
  /** Base64url of the uncompressed point. */
  readonly publicKey: string;
}

/** The other half of a {@link SealingKey}. */
export interface OpeningKey extends SealingKey {
  /** Base64url of PKCS #8. */
  readonly privateKey: string;
}

/** The envelope is damaged, or was sealed with another key. */
export class CannotOpen extends Error {
  override readonly name = 'CannotOpen';
}

type Bytes = Uint8Array<ArrayBuffer>;

// A long argument list overflows the stack.
const chunk = 0x8000;

function toBase64Url(bytes: Bytes): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += chunk)
    text += String.fromCharCode(...bytes.subarray(at, at + chunk));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Bytes {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

type Usage = 'encrypt' | 'decrypt';
type WebKey = Parameters<typeof crypto.subtle.exportKey>[1];

/** The key of one envelope. It is derived from the sealing key's id, too: an envelope opens with no other. */
async function contentKey(
  own: WebKey,
  other: Bytes,
  { salt, keyId, usage }: { readonly salt: Bytes; readonly keyId: string; readonly usage: Usage },
): Promise<WebKey> {
  const { subtle } = crypto;
  const publicKey = await subtle.importKey('raw', other, curve, false, []);
  const secret = await subtle.deriveBits({ name: 'ECDH', public: publicKey }, own, 256);
  const base = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey']);
  const info = new TextEncoder().encode(`${context} ${keyId}`);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return subtle.deriveKey(hkdf, base, { name: 'AES-GCM', length: 256 }, false, [usage]);
}

/** Seals a text. @returns base64url */
export async function sealEnvelope({ id: keyId, publicKey }: SealingKey, text: string): Promise<string> {
  const { subtle } = crypto;
  const pair = await subtle.generateKey(curve, false, ['deriveBits']);
  const point = new Uint8Array(await subtle.exportKey('raw', pair.publicKey));
  const key = await contentKey(pair.privateKey, fromBase64Url(publicKey), {
    salt: point,
    keyId,
    usage: 'encrypt',
  });
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const sealed = await subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text));
  const envelope = new Uint8Array(headBytes + sealed.byteLength);
  envelope[0] = version;
  envelope.set(point, 1);
  envelope.set(iv, 1 + pointBytes);
  envelope.set(new Uint8Array(sealed), headBytes);
  return toBase64Url(envelope);
}

/** @throws CannotOpen */
export async function openEnvelope(
  { id: keyId, privateKey }: Pick<OpeningKey, 'id' | 'privateKey'>,
  envelope: string,
): Promise<string> {
  const { subtle } = crypto;
  const own = await subtle.importKey('pkcs8', fromBase64Url(privateKey), curve, false, ['deriveBits']);
  try {
    const bytes = fromBase64Url(envelope);
    if (bytes[0] !== version) throw new Error('unknown version');
    const point = bytes.subarray(1, 1 + pointBytes);
    const iv = bytes.subarray(1 + pointBytes, headBytes);
    const key = await contentKey(own, point, { salt: point, keyId, usage: 'decrypt' });
    const opened = await subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(headBytes));
    return new TextDecoder('utf-8', { fatal: true }).decode(opened);
  } catch (cause) {
    throw new CannotOpen(`the envelope does not open with the key ${JSON.stringify(keyId)}`, { cause });
  }
}

/** Makes a key pair for a pool. */
export async function makeSealingKey(id: string): Promise<OpeningKey> {
  const { subtle } = crypto;
  const pair = await subtle.generateKey(curve, true, ['deriveBits']);
  const [point, secret] = await Promise.all([
    subtle.exportKey('raw', pair.publicKey),
    subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  return {
    id,
    publicKey: toBase64Url(new Uint8Array(point)),
    privateKey: toBase64Url(new Uint8Array(secret)),
  };
}

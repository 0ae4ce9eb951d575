/**
 * The outer form of a backup: two lines in the clear, then chunks of AES-256-GCM.
 *
 *     waiver-service backup 1
 *     {"keyId":"k1","salt":"…"}
 *     chunk: up to 64 KiB of ciphertext, 16 bytes of tag; each but the last is full
 *
 * The file has a key of its own, derived from the encryption key, the salt and the two lines. The nonce of a chunk is its
 * number and whether it is the last one. So no chunk can be changed, moved, left out or appended unnoticed, and a reader
 * never passes on what it has not checked.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { EncryptionKey } from '../encryption/encryption.ts';
import { BackupProblem } from './backup-problem.ts';

type Bytes = AsyncIterable<Buffer>;

const magic = 'waiver-service backup 1';
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const saltBytes = 32;
const maxHeaderBytes = 1024;
const algorithm = 'aes-256-gcm';

const headerSchema = z.object({
  keyId: z.string(),
  salt: z.base64().transform((text) => Buffer.from(text, 'base64')),
});

const fileKey = ({ key }: EncryptionKey, salt: Buffer, header: Buffer) =>
  Buffer.from(hkdfSync('sha256', key, salt, header, 32));

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Encrypts what is to be written, with the first one of the keys. */
export async function* seal(content: Bytes, key: EncryptionKey): AsyncGenerator<Buffer> {
  const salt = randomBytes(saltBytes);
  const header = Buffer.from(
    `${magic}\n${JSON.stringify({ keyId: key.id, salt: salt.toString('base64') })}\n`,
  );
  const secret = fileKey(key, salt, header);
  let number = 0;
  const sealChunk = (plain: Buffer, isLast: boolean): Buffer => {
    const cipher = createCipheriv(algorithm, secret, nonceOf(number, isLast));
    number += 1;
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  };
  yield header;
  let rest: Buffer = Buffer.alloc(0);
  for await (const part of content) {
    rest = Buffer.concat([rest, part]);
    // One that is full stays until there is more, because it may be the last.
    while (rest.length > chunkBytes) {
      yield sealChunk(rest.subarray(0, chunkBytes), false);
      rest = rest.subarray(chunkBytes);
    }
  }
  yield sealChunk(rest, true);
}

function openChunk(secret: Buffer, sealed: Buffer, number: number, isLast: boolean): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, secret, nonceOf(number, isLast), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

interface Header {
  readonly secret: Buffer;
  /** How many bytes it takes. */
  readonly length: number;
}

function readHeader(start: Buffer, keys: readonly EncryptionKey[]): Header {
  const firstEnd = start.indexOf('\n');
  const secondEnd = start.indexOf('\n', firstEnd + 1);
  const firstLine = start.subarray(0, Math.max(firstEnd, 0)).toString('utf8');
  if (firstLine !== magic) {
    throw new BackupProblem(
      /^waiver-service backup \d+$/.test(firstLine)
        ? `the file has the form "${firstLine}", and this version of the waiver service reads "${magic}": restore it with the version that wrote it`
        : 'the file is not a backup of the waiver service',
    );
  }
  const damaged = () => new BackupProblem('the beginning of the file is damaged: use another backup');
  if (secondEnd === -1) throw damaged();
  let value: unknown;
  try {
    value = JSON.parse(start.subarray(firstEnd + 1, secondEnd).toString('utf8'));
  } catch {
    throw damaged();
  }
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success || parsed.data.salt.length !== saltBytes) throw damaged();
  const { keyId, salt } = parsed.data;
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) {
    throw new BackupProblem(
      `the backup is encrypted with the key "${keyId}", which is not among ENCRYPTION_KEYS (${keys.map(({ id }) => id).join(', ')}): add the key that was kept with it`,
    );
  }
  const length = secondEnd + 1;
  return { secret: fileKey(key, salt, start.subarray(0, length)), length };
}

/**
 * Decrypts a file as it is read.
 *
 * @throws BackupProblem where the file was changed or cut short, or no key opens it
 */
export async function* unseal(file: Bytes, keys: readonly EncryptionKey[]): AsyncGenerator<Buffer> {
  const sealedBytes = chunkBytes + tagBytes;
  let header: Header | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let number = 0;
  for await (const part of file) {
    rest = Buffer.concat([rest, part]);
    if (header === undefined) {
      if (rest.length < maxHeaderBytes) continue;
      header = readHeader(rest.subarray(0, maxHeaderBytes), keys);
      rest = rest.subarray(header.length);
    }
    while (rest.length > sealedBytes) {
      const plain = openChunk(header.secret, rest.subarray(0, sealedBytes), number, false);
      if (plain === undefined) throw changed(number);
      yield plain;
      rest = rest.subarray(sealedBytes);
      number += 1;
    }
  }
  if (header === undefined) {
    header = readHeader(rest, keys);
    rest = rest.subarray(header.length);
  }
  const last = openChunk(header.secret, rest, number, true);
  if (last === undefined) {
    const isCutShort = number > 0 && rest.length < sealedBytes;
    throw isCutShort || openChunk(header.secret, rest, number, false) !== undefined
      ? cutShort()
      : changed(number);
  }
  yield last;
}

function changed(number: number): BackupProblem {
  return new BackupProblem(
    number === 0
      ? 'nothing of the file can be decrypted: it ends too early, was damaged or changed, or ENCRYPTION_KEYS has another key under the same id'
      : `the file was damaged or changed about ${Math.round((number * chunkBytes) / 1024)} KiB from its beginning: use another backup`,
  );
}

function cutShort(): BackupProblem {
  return new BackupProblem(
    'the file ends too early, or its end was changed: copy it again, or use another backup',
  );
}

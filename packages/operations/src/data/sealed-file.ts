/**
 * The format of a backup: a plaintext line, then chunks, compressed and encrypted with AES-256-GCM.
 *
 *     waiver-service backup 1 <key id> <salt>      padded to 160 bytes
 *     chunk: 4 bytes with the length of the rest, the ciphertext, 16 bytes of tag
 *
 * The last chunk is empty. The file has its own key, derived from the encryption key, the salt and the line; the nonce of a
 * chunk is its number. So no chunk can be changed, moved, left out or appended unnoticed, and a reader never passes on
 * what it has not verified.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { EncryptionKey } from '@waiver-service/database';

/** A backup cannot be written, read or restored; the message says why and what to do. Contains no secret. */
export class BackupProblem extends Error {
  override readonly name = 'BackupProblem';
}

/** Names the file in a file system error. Returns other errors unchanged. */
export function fileProblem(error: unknown, file: string): unknown {
  // The error for a missing database socket has no `path`.
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error;
  if (!isOfFile) return error;
  return new BackupProblem(`the file ${file} cannot be used: ${error.message}`, { cause: error });
}

const headerBytes = 160;
const prefixBytes = 4;
const tagBytes = 16;
// COPY returns rows in parts of at most 128 KiB.
const maxSealedBytes = 1024 * 1024;
const algorithm = 'aes-256-gcm';
// Twice as fast as the default, for files a few percent larger.
const compression = { level: 3 };
const deflate = promisify<Buffer, typeof compression, Buffer>(deflateRaw);
const inflate = promisify<Buffer, Buffer>(inflateRaw);

const fileKey = ({ key }: EncryptionKey, header: Buffer) =>
  Buffer.from(hkdfSync('sha256', key, header.subarray(0, -1), 'waiver-service backup', 32));

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeBigUInt64BE(BigInt(number), 4);
  return nonce;
}

export async function* seal(chunks: AsyncIterable<Buffer>, key: EncryptionKey): AsyncGenerator<Buffer> {
  const salt = randomBytes(32).toString('base64url');
  const header = Buffer.from(`${`waiver-service backup 1 ${key.id} ${salt}`.padEnd(headerBytes - 1)}\n`);
  const secret = fileKey(key, header);
  let number = 0;
  function sealChunk(packed: Buffer): Buffer {
    const cipher = createCipheriv(algorithm, secret, nonceOf(number));
    number += 1;
    const prefix = Buffer.alloc(prefixBytes);
    prefix.writeUInt32BE(packed.length + tagBytes);
    return Buffer.concat([prefix, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
  }
  yield header;
  for await (const chunk of chunks) yield sealChunk(await deflate(chunk, compression));
  yield sealChunk(Buffer.alloc(0));
}

function openChunk(secret: Buffer, sealed: Buffer, number: number): Buffer | undefined {
  if (sealed.length < tagBytes) return undefined;
  const decipher = createDecipheriv(algorithm, secret, nonceOf(number), { authTagLength: tagBytes });
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}

function openHeader(header: Buffer, keys: readonly EncryptionKey[]): Buffer {
  const [, form, keyId] = /^waiver-service backup (\d+) (\S+) /.exec(header.toString('latin1')) ?? [];
  if (form === undefined || header.length < headerBytes)
    throw new BackupProblem('the file is not a backup of the waiver service, or ends too early');
  if (form !== '1')
    throw new BackupProblem(`the backup has the form ${form}: restore it with the version that wrote it`);
  const key = keys.find(({ id }) => id === keyId);
  if (key !== undefined) return fileKey(key, header);
  throw new BackupProblem(
    `the backup is encrypted with the key "${keyId}", which is not among ENCRYPTION_KEYS (${keys.map(({ id }) => id).join(', ')}): add the key that was kept with it`,
  );
}

/**
 * Decrypts the chunks of a file as it is read.
 *
 * @throws BackupProblem if the file was changed or cut short, or no key opens it
 */
export async function* unseal(file: FileHandle, keys: readonly EncryptionKey[]): AsyncGenerator<Buffer> {
  // Returns fewer bytes than requested only at the end of the file.
  async function read(count: number): Promise<Buffer> {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count);
    return buffer.subarray(0, bytesRead);
  }
  const secret = openHeader(await read(headerBytes), keys);
  for (let number = 0; ; number += 1) {
    const prefix = await read(prefixBytes);
    const length = prefix.length < prefixBytes ? 0 : Math.min(prefix.readUInt32BE(), maxSealedBytes);
    const sealed = await read(length);
    if (length === 0 || sealed.length < length)
      throw new BackupProblem(
        'the file ends too early, or was damaged: copy it again, or use another backup',
      );
    const packed = openChunk(secret, sealed, number);
    if (packed === undefined) {
      throw new BackupProblem(
        number === 0
          ? 'nothing of the file can be decrypted: it was damaged or changed, or ENCRYPTION_KEYS has another key under the same id'
          : 'the file was damaged or changed: use another backup',
      );
    }
    if (packed.length === 0) break;
    yield await inflate(packed);
  }
  if ((await read(1)).length > 0)
    throw new BackupProblem('the file goes on after its end: use another backup');
}

import { hash, randomBytes } from 'node:crypto';

/** What a secret of ours opens: an install key, an app pool key, an access token, the admin API. */
export type SecretPrefix = 'wsi' | 'wsp' | 'wst' | 'wsa';

/** A new secret. Only `hash` and `hint` are kept. */
export interface GeneratedSecret {
  /** Shown once. */
  readonly secret: string;
  readonly hash: Buffer;
  /** Prefix and last four characters, for a person to tell one from another. */
  readonly hint: string;
}

const secretBytes = 32;

/** Makes a secret: a prefix that says what it opens, and 32 random bytes in base64url. */
export function generateSecret(prefix: SecretPrefix): GeneratedSecret {
  const secret = `${prefix}_${randomBytes(secretBytes).toString('base64url')}`;
  return { secret, hash: hashSecret(secret), hint: `${prefix}_…${secret.slice(-4)}` };
}

/** SHA-256. Enough for what is random in 32 bytes; a password would need more. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

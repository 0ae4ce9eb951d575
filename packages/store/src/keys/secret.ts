import { hash, randomBytes } from 'node:crypto';

/**
 * The prefix of a credential (`wsc`), an install key (`wsi`), an app pool key (`wsp`), an access token (`wst`), a
 * session (`wss`), the code of a sign-in link (`wsl`), the token of a check-in link (`wsg`), a returning guest's proof
 * (`wsr`) or the credential of a kiosk (`wsk`). The token of a copy (`wsd`) is derived.
 */
export type SecretPrefix = 'wsc' | 'wsi' | 'wsp' | 'wst' | 'wss' | 'wsl' | 'wsg' | 'wsr' | 'wsk';

/** A new secret, of which only `hash` and `hint` are stored. */
export interface GeneratedSecret {
  /** Cannot be recovered later. */
  readonly secret: string;
  readonly hash: Buffer;
  /** Prefix and last four characters, to recognize a secret by. */
  readonly hint: string;
}

const secretBytes = 32;

/** Generates 32 random bytes in base64url behind a prefix: `wst_…`. */
export function generateSecret(prefix: SecretPrefix): GeneratedSecret {
  const secret = `${prefix}_${randomBytes(secretBytes).toString('base64url')}`;
  return { secret, hash: hashSecret(secret), hint: `${prefix}_…${secret.slice(-4)}` };
}

/** SHA-256: enough for 32 random bytes, unlike for a password. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

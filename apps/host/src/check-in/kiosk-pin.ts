import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';

const derive = promisify(pbkdf2);

// OWASP's recommendation for PBKDF2 with SHA-256, the slow hash that browsers have, too.
const iterations = 600_000;

/** Lets a tablet check its staff's PIN, even offline. */
export const pinVerifierSchema = z.object({
  salt: z.string().describe('Salt of the PIN’s hash, base64url.'),
  iterations: z.int().describe('Iterations of PBKDF2 with SHA-256.'),
  hash: z.string().describe('Hash of the PIN, base64url of 32 bytes.'),
});

/** A PIN that staff type on the tablet. */
export const pinSchema = z.string().regex(/^\d{4,12}$/, 'must be 4 to 12 digits');

/** @returns JSON of a {@link pinVerifierSchema} */
export async function pinVerifier(pin: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(pin, salt, iterations, 32, 'sha256');
  const verifier: z.infer<typeof pinVerifierSchema> = {
    salt: salt.toString('base64url'),
    iterations,
    hash: hash.toString('base64url'),
  };
  return JSON.stringify(verifier);
}

import { pbkdf2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { pinVerifierSchema } from '@waiver-service/api';
import type { z } from 'zod';

const derive = promisify(pbkdf2);

// OWASP's recommendation for PBKDF2 with SHA-256, the slow hash that browsers have, too.
const iterations = 600_000;

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

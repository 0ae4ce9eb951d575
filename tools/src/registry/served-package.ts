import type { Readable } from 'node:stream';

/** One version of a package, as the registry serves it. */
export interface ServedPackage {
  readonly name: string;
  readonly version: string;
  /** Its package.json, or the part that npm needs to install it. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The tarball's hash, if known before the tarball is made. */
  readonly integrity?: string | undefined;
  openTarball(): Readable;
}

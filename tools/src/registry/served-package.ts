import type { Readable } from 'node:stream';

/** One version of a package, as the registry serves it. */
export interface ServedPackage {
  readonly name: string;
  readonly version: string;
  /** Its package.json, or the part of it that npm needs to install it. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** Of the tarball, if it is known before the tarball is made. */
  readonly integrity?: string | undefined;
  openTarball(): Readable;
}

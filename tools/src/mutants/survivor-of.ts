import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutantResult } from '@stryker-mutator/api/core';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A change of the sources that no test noticed. */
export interface Survivor {
  /** `packages/core/src/date-time.ts:12` */
  readonly place: string;
  /** The mutator's name and its replacement. */
  readonly change: string;
}

/** Where a change was made and its replacement; undefined if a test noticed it or it was not tried. */
export function survivorOf(mutant: Readonly<MutantResult>): Survivor | undefined {
  const { status, fileName, location, mutatorName, replacement = '' } = mutant;
  if (status !== 'Survived' && status !== 'NoCoverage') return undefined;
  return {
    place: `${relative(root, fileName)}:${location.start.line + 1}`,
    change: `${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
  };
}

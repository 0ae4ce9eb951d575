import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MutantResult } from '@stryker-mutator/api/core';
import type { Survivor } from '../survivor.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Where a change was made and what it put there; undefined where a test noticed it, or where it was not tried. */
export function survivorOf(mutant: Readonly<MutantResult>): Survivor | undefined {
  const { status, fileName, location, mutatorName, replacement = '' } = mutant;
  if (status !== 'Survived' && status !== 'NoCoverage') return undefined;
  return {
    place: `${relative(root, fileName)}:${location.start.line + 1}`,
    change: `${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`,
  };
}

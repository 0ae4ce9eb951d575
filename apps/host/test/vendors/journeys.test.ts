import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { VendorJourney, VendorSystem } from '@waiver-service/simulator';
import { describe } from 'vitest';
import { runVendorJourney } from '../harness/vendor-journey.ts';

const root = join(import.meta.dirname, '../../../..');

// Every plugin with a journey is found here: a new one is in no list.
for (const path of globSync('plugins/*/test/journey.ts', { cwd: root }).toSorted()) {
  const module: { readonly default: VendorJourney<VendorSystem> } = await import(
    pathToFileURL(join(root, path)).href
  );
  const { default: journey } = module;
  describe(journey.installName, () => runVendorJourney(journey));
}

import { fileURLToPath } from 'node:url';
import { startTestServer } from '@waiver-service/store/testing';
import { mutatedPackages } from './mutated-packages.ts';
import { copyCheckout } from './planted/checkout-copy.ts';
import { plantFaults } from './planted/plant-faults.ts';
import { plantedAreas } from './planted/planted-areas.ts';
import type { PlantedArea } from './planted/planted-fault.ts';
import { mutatePackage } from './stryker/mutate-package.ts';
import type { AreaResult } from './survivor.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const wantedShare = 0.85;
const chosen = process.argv.slice(2);
const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name);

const shareOf = ({ made, survivors }: AreaResult) => (made === 0 ? 1 : 1 - survivors.length / made);

function report(result: AreaResult): AreaResult {
  const { area, made, survivors } = result;
  for (const { place, change } of survivors) console.log(`  ${place}  ${change}`);
  console.log(
    `${area}: ${made - survivors.length} of ${made} noticed (${Math.round(shareOf(result) * 100)} %)\n`,
  );
  return result;
}

async function plantAll(areas: readonly PlantedArea[]): Promise<AreaResult[]> {
  if (areas.length === 0) return [];
  const stopServer = await startTestServer();
  const copy = copyCheckout(root);
  const results: AreaResult[] = [];
  try {
    for (const area of areas) results.push(report(await plantFaults(copy, area)));
  } finally {
    copy.remove();
    await stopServer();
  }
  return results;
}

const names = [...mutatedPackages.map(({ folder }) => folder), ...plantedAreas.map(({ area }) => area)];
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`there is no area ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
const results: AreaResult[] = [];
for (const one of mutatedPackages) if (isChosen(one.folder)) results.push(report(await mutatePackage(one)));
results.push(...(await plantAll(plantedAreas.filter(({ area }) => isChosen(area)))));
const tooFew = results.filter((result) => shareOf(result) < wantedShare);
for (const { area } of tooFew)
  console.log(`${area}: fewer than ${wantedShare * 100} % of the changes were noticed`);
process.exitCode = tooFew.length === 0 ? 0 : 1;

import { type MutationResult, mutatePackage } from './mutate-package.ts';
import { mutatedPackages } from './mutated-packages.ts';

const minShare = 0.85;
const chosen = process.argv.slice(2);

const shareOf = ({ mutants, survivors }: MutationResult) =>
  mutants === 0 ? 1 : 1 - survivors.length / mutants;

const names = mutatedPackages.map(({ folder }) => folder);
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`unknown package ${unknown.join(', ')}; there are: ${names.join(', ')}`);
  process.exit(2);
}
for (const one of mutatedPackages) {
  if (chosen.length > 0 && !chosen.includes(one.folder)) continue;
  const result = await mutatePackage(one);
  const { folder, mutants, survivors } = result;
  for (const { place, change } of survivors) console.log(`  ${place}  ${change}`);
  const share = shareOf(result);
  console.log(
    `${folder}: ${mutants - survivors.length} of ${mutants} noticed (${Math.round(share * 100)} %)\n`,
  );
  if (share >= minShare) continue;
  console.log(`${folder}: fewer than ${minShare * 100} % of the changes were noticed`);
  process.exitCode = 1;
}

import { join, resolve } from 'node:path';
import { findUnknownLicenses } from './production-packages.ts';
import { OccupiedFolder, writePackage } from './write-package.ts';

const root = join(import.meta.dirname, '../../..');
const into = resolve(process.argv[2] ?? join(root, 'dist/package'));

const problems = findUnknownLicenses({ root });
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
const { files, bytes, hash } = await writePackage(root, into).catch((error: unknown) => {
  if (!(error instanceof OccupiedFolder)) throw error;
  console.error(error.message);
  process.exit(1);
});
console.log(`${into}: ${files} files, ${Math.round(bytes / 1024 ** 2)} MiB, ${hash}
start it: node ${join(into, 'main.js')}`);

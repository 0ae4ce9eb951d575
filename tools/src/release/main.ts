import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeRelease, ReleaseRefused } from './release.ts';

const root = join(import.meta.dirname, '../../..');
const usage = `npm run release -- 1.2.3          makes and tries the packages of this version in dist/release
npm run release -- 1.2.3 --tag    and commits and tags it, for the release workflow to publish`;

const options = { tag: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const [version] = positionals;
if (version === undefined || positionals.length > 1) {
  console.error(usage);
  process.exit(2);
}
await makeRelease(root, {
  version,
  into: join(root, 'dist/release'),
  tag: values.tag,
  say: (sentence) => console.log(sentence),
}).catch((error: unknown) => {
  if (!(error instanceof ReleaseRefused)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});

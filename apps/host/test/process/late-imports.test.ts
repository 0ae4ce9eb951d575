import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);

/**
 * Where a module is imported while the program runs, and why no request has to wait for it. Node.js remembers an import
 * that failed, as it does when the process has no file handle free: on the path of a request, it would fail until a
 * restart.
 */
const known: Readonly<Record<string, string>> = {
  'apps/host/src/composition/create-host.ts': 'at the start',
  'apps/host/src/main.ts': 'at the start',
  'apps/host/src/commands/doctor/doctor.ts': 'a command',
  'packages/alerts/src/mailer.ts': 'when the mailer is created, at the start',
  'packages/forms/src/sentences/sentences.ts': 'preloadSentences loads all at the start',
};

test('no module is imported on the path of a request', () => {
  const files = globSync('{apps/host,packages/*,plugins/*}/src/**/*.ts', { cwd: root });
  const importing = files.filter((file) =>
    /(?<!typeof )\bimport\(/.test(
      readFileSync(new URL(file, root), 'utf8').replaceAll(/^\s*(?:\*|\/\/).*$/gm, ''),
    ),
  );
  expect(importing.toSorted()).toEqual(Object.keys(known).toSorted());
});

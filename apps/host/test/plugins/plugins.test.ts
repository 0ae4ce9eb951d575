import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPluginPackages, loadPlugins } from '@waiver-service/integration/load-plugins';
import { checkPlugin } from '@waiver-service/integration/testing';
import standard from '@waiver-service/plugin-standard';
import { startWebhookReceiver } from '@waiver-service/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hostFolder } from '../../src/host-package.ts';
import { startTestHost } from '../harness/test-host.ts';

/** The plugin `standard` under another name and with other fields. */
const pluginNamed = (installName: string, changes: object = {}) => ({ ...standard, installName, ...changes });

async function load(packages: Readonly<Record<string, unknown>>) {
  const warnings: string[] = [];
  const warn = (_fields: unknown, sentence: string) => warnings.push(sentence);
  const importPackage = async (name: string) => {
    const exported = packages[name];
    if (exported instanceof Error) throw exported;
    return { default: exported };
  };
  const plugins = await loadPlugins(Object.keys(packages), importPackage, { warn });
  return { names: plugins.map(({ installName }) => installName), warnings };
}

test('the plugins that the host depends on are found', () => {
  const { loaded, unlisted } = findPluginPackages(hostFolder, []);
  expect(loaded).toEqual(
    expect.arrayContaining(['@waiver-service/plugin-standard', '@waiver-service/plugin-standard-query']),
  );
  expect([...loaded, ...unlisted]).not.toContain('@waiver-service/plugin-kit');
});

describe('a package installed beside the host', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'waiver-plugins-'));
    mkdirSync(join(folder, 'apps/host'), { recursive: true });
    writeFileSync(join(folder, 'apps/host/package.json'), '{"dependencies":{"zod":"4"}}');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const install = (name: string) => {
    const place = join(folder, 'node_modules', name);
    mkdirSync(place, { recursive: true });
    const plugin = pathToFileURL(join(hostFolder, '../../plugins/standard/src/index.ts')).href;
    writeFileSync(
      join(place, 'index.mjs'),
      `import standard from ${JSON.stringify(plugin)}; export default {...standard, installName: 'outside'};`,
    );
    return join(place, 'index.mjs');
  };

  test('is loaded if it is listed, and named in the log if it is not', async () => {
    const entry = install('waiver-service-plugin-outside');
    install('@waiver-service/plugin-scoped');
    install('waiver-service');
    install('another-package');
    const host = join(folder, 'apps/host');
    expect(findPluginPackages(host, [])).toEqual({
      loaded: [],
      unlisted: ['@waiver-service/plugin-scoped', 'waiver-service-plugin-outside'],
    });
    expect(findPluginPackages(host, ['waiver-service-plugin-outside'])).toEqual({
      loaded: ['waiver-service-plugin-outside'],
      unlisted: ['@waiver-service/plugin-scoped'],
    });
    const warnings: string[] = [];
    const plugins = await loadPlugins(['waiver-service-plugin-outside'], () => import(entry), {
      warn: (_fields: unknown, sentence: string) => warnings.push(sentence),
    });
    expect([plugins.map(({ installName }) => installName), warnings]).toEqual([['outside'], []]);
  });

  test('stops the start if it is listed but not installed, with a message that names the installed ones', () => {
    install('waiver-service-plugin-outside');
    expect(() =>
      findPluginPackages(join(folder, 'apps/host'), [
        'waiver-service-plugin-outside',
        'waiver-service-plugin-nowhere',
      ]),
    ).toThrow(/PLUGINS lists waiver-service-plugin-nowhere, .* Installed: waiver-service-plugin-outside/);
  });
});

describe('a plugin that cannot be used is left out, with a sentence that says what to change', () => {
  const good = pluginNamed('good');
  test.each<[string, string, unknown, RegExp]>([
    [
      'a version that is not known',
      'xy',
      pluginNamed('xy', { specificationVersion: 'v9' }),
      /"v9"; this host supports v1/,
    ],
    ['no version', 'xy', pluginNamed('xy', { specificationVersion: undefined }), /this host supports v1/],
    ['another name than its package', 'xy', pluginNamed('yy'), /installName is "yy".*ends in "xy"/],
    ['a name that cannot be in a path', 'xy', pluginNamed('X!'), /installName/],
    ['no default export', 'xy', undefined, /defineBookingSystem/],
    [
      'a manifest that is not right',
      'xy',
      pluginNamed('xy', { contract: { pathShape: 'header' } }),
      /pathShape/,
    ],
    ['no way to read', 'xy', pluginNamed('xy', { fetchBooking: undefined }), /lacks fetchBooking/],
    [
      'a session that cannot be authorized',
      'xy',
      pluginNamed('xy', { session: { grant: 'authorization-code', renew: () => undefined } }),
      /lacks session.authorizationUrl and session.exchangeCode/,
    ],
    ['a session that cannot be renewed', 'xy', pluginNamed('xy', { session: {} }), /lacks session.renew/],
    ['a token instead of a function', 'xy', pluginNamed('xy', { authenticate: 'k' }), /lacks authenticate/],
    ['no account schema', 'xy', pluginNamed('xy', { accountSchema: {} }), /accountSchema/],
    ['no way to write although it says so', 'xy', pluginNamed('xy', { pushWaiver: undefined }), /pushWaiver/],
    ['an error while loading', 'xy', new Error('boom'), /loading it failed/],
  ])('%s', async (_what, name, exported, sentence) => {
    const packages = { [`waiver-service-plugin-${name}`]: exported, '@waiver-service/plugin-good': good };
    const { names, warnings } = await load(packages);
    expect(names).toEqual(['good']);
    expect(warnings).toEqual([expect.stringMatching(sentence)]);
    expect(warnings[0]).toContain(`waiver-service-plugin-${name}`);
  });

  test('of two packages for one name the first counts', async () => {
    const { names, warnings } = await load({
      '@waiver-service/plugin-good': good,
      'waiver-service-plugin-good': good,
    });
    expect(names).toEqual(['good']);
    expect(warnings).toEqual([expect.stringContaining('another package already speaks for "good"')]);
  });

  test('native inbound calls need a way to read them', () => {
    const native = pluginNamed('xy', { capabilities: { ...standard.capabilities, inbound: 'native' } });
    expect(checkPlugin(native, 'xy')).toEqual({ refusal: expect.stringContaining('parseInbound') });
  });
});

test('a plugin that fails to load raises an alert', async ({ onTestFinished }) => {
  const operators = await startWebhookReceiver();
  onTestFinished(() => operators.close());
  const host = await startTestHost({ RETRY_SCHEDULE: '0s' });
  onTestFinished(() => host.close());
  await host.admin('POST', '/v1/admin/alerts', {
    name: 'On call',
    url: operators.url,
    auth: { type: 'none' },
  });
  const next = await startTestHost(
    { DATABASE_URL: host.databaseUrl },
    {
      pluginPackages: ['waiver-service-plugin-broken'],
      importPackage: () => Promise.reject(new Error('syntax error of a secret kind')),
    },
  );
  onTestFinished(() => next.close());
  const [request] = await operators.untilReceived('webhook', 1);
  const alert = JSON.parse(String(request?.body));
  expect(alert).toMatchObject({ type: 'fault', link: expect.stringMatching(/\/console\/$/) });
  expect(alert.message).toContain('waiver-service-plugin-broken');
  expect(alert.message).not.toContain('secret');
});

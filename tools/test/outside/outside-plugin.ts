import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a plugin into a folder of modules that says in its name which settings it sees as it is loaded. */
export function writePlugin(modules: string, installName: string): void {
  const folder = join(modules, `waiver-service-plugin-${installName}`);
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: `waiver-service-plugin-${installName}`, type: 'module', exports: './index.js' }),
  );
  writeFileSync(
    join(folder, 'index.js'),
    `
import { defineBookingSystem } from '@waiver-service/plugin-kit';

const settings = ['ADMIN_TOKEN', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'PORT'];
const seen = settings.filter((name) => process.env[name] !== undefined);
export default defineBookingSystem({
  installName: '${installName}',
  displayName: 'sees ' + seen.join(' '),
  authHeaderName: 'x-key',
  pathShape: 'query',
  guestId: 'none',
});
`,
  );
}

/** The files of a plugin package as somebody outside would write them, for one version of the plugin interface. */
export function outsidePlugin(installName: string, specificationVersion?: string): Record<string, string> {
  const version = specificationVersion && `, specificationVersion: '${specificationVersion}' as 'v1'`;
  return {
    'package.json': JSON.stringify({
      name: `waiver-service-plugin-${installName}`,
      version: '1.0.0',
      type: 'module',
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      files: ['dist'],
      dependencies: { '@waiver-service/core': '0.1.0', '@waiver-service/plugin-kit': '0.1.0' },
      devDependencies: { '@waiver-service/contract-suite': '0.1.0' },
    }),
    'tsconfig.json': JSON.stringify({
      compilerOptions: {
        target: 'es2024',
        module: 'nodenext',
        strict: true,
        declaration: true,
        rootDir: 'src',
        outDir: 'dist',
        types: [],
        skipLibCheck: false,
      },
      include: ['src'],
    }),
    'src/index.ts': `
import { BookingNotFound, type BookingSystemPlugin } from '@waiver-service/core';
import { defineBookingSystem, type NoSettings } from '@waiver-service/plugin-kit';

const plugin: BookingSystemPlugin<NoSettings> = defineBookingSystem({
  installName: '${installName}',
  displayName: 'From outside',
  authHeaderName: 'x-outside',
  pathShape: 'query',
  guestId: 'none',
});

export default {
  ...plugin,
  async fetchBooking(context: Parameters<typeof plugin.fetchBooking>[0], bookingId: string) {
    if (bookingId === 'NEVER') throw new BookingNotFound('there is never a booking NEVER');
    return plugin.fetchBooking(context, bookingId);
  }${version ?? ''},
};
`,
    'test/contract.test.ts': [
      "import { runContractSuite } from '@waiver-service/contract-suite';",
      "import plugin from '../src/index.ts';",
      'runContractSuite(plugin);',
    ].join('\n'),
  };
}

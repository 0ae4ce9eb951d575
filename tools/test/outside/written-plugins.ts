import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes a plugin into a `node_modules`. `more` are fields that replace those of `defineBookingSystem`. */
function writePlugin(modules: string, installName: string, displayName: string, more = ''): string {
  const folder = join(modules, `waiver-service-plugin-${installName}`);
  mkdirSync(folder);
  const packageFile = {
    name: `waiver-service-plugin-${installName}`,
    type: 'module',
    exports: './index.js',
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(packageFile));
  writeFileSync(
    join(folder, 'index.js'),
    `
import { BookingNotFound } from '@waiver-service/core';
import { defineBookingSystem } from '@waiver-service/plugin-kit';

const plugin = defineBookingSystem({
  installName: '${installName}',
  displayName: ${displayName},
  contract: { authHeaderName: 'x-key', pathShape: 'query', guestId: 'none' },
});
export default { ...plugin, ${more} };
`,
  );
  return folder;
}

/** Plugins for a host to load, by install name, each with one peculiarity. */
export const writtenPlugins: Readonly<Record<string, (modules: string) => void>> = {
  /** Reports in its name which settings it sees when loaded. */
  prying: (modules) => {
    const settings = "['ADMIN_TOKEN', 'DATABASE_URL', 'ENCRYPTION_KEYS', 'PORT']";
    const seen = `${settings}.filter((name) => process.env[name] !== undefined)`;
    writePlugin(modules, 'prying', `'sees ' + ${seen}.join(' ')`);
  },
  /** Made for an interface version that the host does not know. */
  future: (modules) => {
    writePlugin(modules, 'future', "'From the future'", "specificationVersion: 'v9'");
  },
  /** Not listed in PLUGINS. */
  unlisted: (modules) => {
    writePlugin(modules, 'unlisted', "'Unlisted'");
  },
  /** Throws an error from its own copy of core. */
  nested: (modules) => {
    const folder = writePlugin(
      modules,
      'nested',
      "'With its own core'",
      "fetchBooking: async () => { throw new BookingNotFound('there is never a booking'); }",
    );
    const core = '@waiver-service/core';
    cpSync(join(modules, core), join(folder, 'node_modules', core), { recursive: true });
  },
};

import type { HostSettings } from './host-settings.ts';
import { findMisspeltSettings, type MisspeltSetting } from './misspelt-settings.ts';
import { readSettings, secretSettings, settingNames } from './read-settings.ts';

/**
 * The settings of this process. Nothing else reads the environment. Secrets are taken out of it, so that no plugin, and
 * no process that is started, finds them there.
 * @throws SettingsError
 */
export function settingsOfEnvironment(): HostSettings {
  const settings = readSettings(process.env);
  for (const name of secretSettings) delete process.env[name];
  return settings;
}

/** The variables of this process that were probably meant as settings. */
export const misspeltInEnvironment = (): MisspeltSetting[] =>
  findMisspeltSettings(Object.keys(process.env), settingNames);

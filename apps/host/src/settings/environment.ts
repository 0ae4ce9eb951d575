import type { HostSettings } from './host-settings.ts';
import { readSettings, secretSettings } from './read-settings.ts';

/**
 * The settings of this process. Nothing else reads the environment. Removes secrets from it, so that neither plugins
 * nor child processes find them there.
 * @throws SettingsError
 */
export function settingsOfEnvironment(): HostSettings {
  const settings = readSettings(process.env);
  for (const name of secretSettings) delete process.env[name];
  return settings;
}

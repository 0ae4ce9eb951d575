import type { HostSettings } from './host-settings.ts';
import { readSettings } from './read-settings.ts';

/**
 * The settings of this process. Nothing else reads the environment.
 * @throws SettingsError
 */
export const settingsOfEnvironment = (): HostSettings => readSettings(process.env);

export { createHost, type Host, type HostOverrides } from './composition/create-host.ts';
export type { HostRole, HostSettings } from './settings/host-settings.ts';
export { readSettings, SettingsError } from './settings/read-settings.ts';

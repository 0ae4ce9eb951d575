export { createHost, type Host, type HostOverrides } from './composition/create-host.ts';
export { SettingsError } from './settings/environment-fields.ts';
export type { HostRole, HostSettings } from './settings/host-settings.ts';
export { readSettings } from './settings/read-settings.ts';

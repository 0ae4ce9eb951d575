export { HostDidNotStart, type SpawnedHost, type SpawnedHostOptions, spawnHost } from './spawn-host.ts';
export { type HostProcess, type HostProcessOptions, startHostProcess } from './start-host-process.ts';

export {
  HostDidNotStart,
  type HostProcess,
  type HostProcessOptions,
  type SpawnedHost,
  type SpawnedHostOptions,
  spawnHost,
  startHostProcess,
} from './spawn-host.ts';

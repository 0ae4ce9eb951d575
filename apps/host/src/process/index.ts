export {
  HostDidNotStart,
  type HostProcess,
  type HostProcessOptions,
  startHostProcess,
} from './start-host-process.ts';

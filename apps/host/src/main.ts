import { enableCompileCache } from 'node:module';

// Until there is something to close, a signal ends the process at once. The handlers stay for good, so that a second
// signal (npm sends one too) is not the end of an orderly end.
let onSignal: (signal: NodeJS.Signals) => void = () => process.exit(0);
process.on('SIGTERM', (signal) => onSignal(signal));
process.on('SIGINT', (signal) => onSignal(signal));

// Loaded after the handlers are there, and faster from the second start on.
enableCompileCache();
const { runHost } = await import('./composition/run-host.ts');
await runHost((take) => {
  onSignal = take;
});

import { enableCompileCache } from 'node:module';

// Until there is something to close, a signal exits at once. Handlers stay installed so that a second signal (npm
// forwards one) does not interrupt a graceful shutdown.
let onSignal: (signal: NodeJS.Signals) => void = () => process.exit(0);
process.on('SIGTERM', (signal) => onSignal(signal));
process.on('SIGINT', (signal) => onSignal(signal));

// Imported after the handlers are installed; the compile cache speeds up later starts.
enableCompileCache();
const { runHost } = await import('./composition/run-host.ts');
await runHost((take) => {
  onSignal = take;
});

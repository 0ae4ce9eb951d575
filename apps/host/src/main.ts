import { enableCompileCache } from 'node:module';

// Until there is something to close, a signal exits at once. Handlers stay installed so that a second signal (npm
// forwards one) does not interrupt a graceful shutdown.
let onSignal: (signal: NodeJS.Signals) => void = () => process.exit(0);
process.on('SIGTERM', (signal) => onSignal(signal));
process.on('SIGINT', (signal) => onSignal(signal));

const [, , ...args] = process.argv;
if (args.length > 0) {
  const call = JSON.stringify(args.join(' '));
  console.error(
    `This program starts the host and takes no arguments, not ${call}. Commands are those of waiver-service: "npx --no-install waiver-service --help" in a clone, "node bin/waiver-service.js --help" in a package.`,
  );
  process.exit(2);
}

// Imported after the handlers are installed; the compile cache speeds up later starts.
enableCompileCache();
const { runHost } = await import('./composition/run-host.ts');
await runHost((take) => {
  onSignal = take;
});

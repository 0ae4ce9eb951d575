import { check } from './check.ts';
import { apiKeyVariable, readCommand, UsageError, usage } from './options.ts';
import { writeReport } from './report.ts';
import { serve } from './serve.ts';

async function main(): Promise<number> {
  const command = readCommand(process.argv.slice(2), process.env[apiKeyVariable]);
  if (command.kind === 'help') {
    console.log(usage);
    return 0;
  }
  if (command.kind === 'serve') return serve(command.options);
  const report = await check(command.options);
  console.log(command.options.json ? JSON.stringify(report, null, 2) : writeReport(report));
  return report.ok ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`${error.message}\n\nwaiver-service --help says how to call it.`);
  process.exitCode = 2;
}

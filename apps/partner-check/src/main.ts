import { check, writeReport } from './check.ts';
import { operatorCommands, readCommand, UsageError, usage } from './options.ts';
import { record } from './record.ts';
import { importHost, serve } from './serve.ts';
import { verify } from './verify.ts';

async function operate(args: readonly string[]): Promise<number> {
  const { runOperatorCommand } = await importHost(
    () => import('@waiver-service/host/commands'),
    `waiver-service ${args[0]} is for operators of a waiver service`,
  );
  return runOperatorCommand(args, { print: console.log, note: console.error });
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args[0] === 'verify') return verify(args.slice(1), console.log);
  if (operatorCommands.includes(args[0] ?? '')) return operate(args);
  const command = readCommand(args, process.env);
  if (command.kind === 'help') {
    console.log(usage);
    return 0;
  }
  if (command.kind === 'serve') return serve(command.options);
  if (command.kind === 'record') return record(command.options, console.log);
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

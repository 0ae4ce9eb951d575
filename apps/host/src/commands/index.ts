import { settingsOfEnvironment } from '../settings/environment.ts';
import { backUp, restore } from './backup.ts';
import { type CommandOutput, printableLines } from './command-output.ts';
import { examine } from './doctor/doctor.ts';
import { CommandLineError, type OperatorCommand, operatorUsage, readCommand } from './read-command.ts';
import { rotateKeys } from './rotate-keys.ts';

export type { CommandOutput } from './command-output.ts';
export { operatorUsage } from './read-command.ts';

function run(command: OperatorCommand, output: CommandOutput): Promise<number> | number {
  if (command.kind === 'help') {
    output.print(operatorUsage);
    return 0;
  }
  // It reports wrong settings itself.
  if (command.kind === 'doctor') return examine(command.json, output);
  const settings = settingsOfEnvironment();
  switch (command.kind) {
    case 'backup':
      return backUp(settings, command.file, output);
    case 'restore':
      return restore(settings, command.file, output);
    case 'rotate-keys':
      return rotateKeys(settings, output);
  }
}

/**
 * Runs one of the commands for operators with the settings of this process.
 *
 * @returns the exit status: 0, 1 if a check found a problem or the command failed, 2 if the command line is wrong
 */
export async function runOperatorCommand(
  args: readonly string[],
  { print, note }: CommandOutput,
): Promise<number> {
  // Files and databases have words of others.
  const output: CommandOutput = {
    print: (text) => print(printableLines(text)),
    note: (text) => note(printableLines(text)),
  };
  try {
    return await run(readCommand(args), output);
  } catch (error) {
    output.note(error instanceof Error ? error.message : String(error));
    return error instanceof CommandLineError ? 2 : 1;
  }
}

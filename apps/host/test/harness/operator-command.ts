import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../../../partner-check/dist/main.js', import.meta.url));

/** The arguments of the command with which a block of a page ends, with replacements for its examples. */
export function argumentsOf(block: string, replaced: Readonly<Record<string, string>> = {}): string[] {
  const [, words = ''] = /^npx --no-install waiver-service (.+)$/m.exec(block) ?? [];
  return words.split(' ').map((word) => replaced[word] ?? word);
}

export interface CommandResult {
  readonly status: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnedCommand {
  readonly process: ChildProcess;
  readonly stderr: () => string;
  readonly ended: Promise<CommandResult>;
}

/** Starts `waiver-service`, from its build, with these variables and no others of ours. */
export function spawnCommand(
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): SpawnedCommand {
  const { PATH = '', HOME = '' } = process.env;
  // A separate process group, so that a test can kill what the program starts too.
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH, HOME, ...variables },
    detached: true,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    stdout += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  const ended = once(child, 'close').then(([status, signal]) => ({
    status: status ?? signal,
    stdout,
    stderr,
  }));
  return { process: child, stderr: () => stderr, ended };
}

/** Runs `waiver-service` to its end. */
export const runCommand = (args: readonly string[], variables: Readonly<Record<string, string>>) =>
  spawnCommand(args, variables).ended;

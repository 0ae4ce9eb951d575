import { expect, test } from 'vitest';
import { CommandLineError, readCommand } from '../../src/commands/read-command.ts';

test('the commands', () => {
  expect(readCommand(['backup', 'a file'])).toEqual({ kind: 'backup', file: 'a file' });
  expect(readCommand(['restore', '--', '-file'])).toEqual({ kind: 'restore', file: '-file' });
  expect(readCommand(['doctor'])).toEqual({ kind: 'doctor', json: false });
  expect(readCommand(['doctor', '--json'])).toEqual({ kind: 'doctor', json: true });
  expect(readCommand(['keys', 'rotate'])).toEqual({ kind: 'rotate-keys' });
  expect(readCommand(['keys', '--help'])).toEqual({ kind: 'help' });
});

test.each([
  [['keys', 'turn'], 'there is no command "keys turn"; there are:'],
  [['keys'], 'there is no command "keys"'],
  [['backup'], 'backup takes the name of one file: waiver-service backup <file>'],
  [['restore', 'a', 'b'], 'restore takes the name of one file'],
  [['backup', ''], 'backup takes the name of one file'],
  [['backup', 'a', '--json'], 'backup takes no --json'],
  [['doctor', 'now'], 'there is no command "doctor now"'],
  [['backup', 'a', '--force'], "Unknown option '--force'"],
])('%j is an error that names the valid commands', (line, message) => {
  expect(() => readCommand(line)).toThrow(CommandLineError);
  expect(() => readCommand(line)).toThrow(message);
});

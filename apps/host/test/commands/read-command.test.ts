import { expect, test } from 'vitest';
import { CommandLineError, readCommand } from '../../src/commands/read-command.ts';

test('the commands', () => {
  expect(readCommand(['backup', 'a file'])).toEqual({ kind: 'backup', file: 'a file' });
  expect(readCommand(['restore', '--', '-file'])).toEqual({ kind: 'restore', file: '-file' });
  expect(readCommand(['doctor'])).toEqual({ kind: 'doctor', json: false });
  expect(readCommand(['doctor', '--json'])).toEqual({ kind: 'doctor', json: true });
  expect(readCommand(['keys', 'rotate'])).toEqual({ kind: 'rotate-keys' });
  const move = { kind: 'move-pool', pool: 'rafting', cell: 'us1', json: false };
  expect(readCommand(['pool', 'move', 'rafting', '--to', 'us1'])).toEqual(move);
  expect(readCommand(['pool', 'move', 'rafting', '--to', 'us1', '--json'])).toEqual({ ...move, json: true });
  expect(readCommand(['pool', 'move', 'rafting', '--cancel'])).toEqual({
    kind: 'cancel-move',
    pool: 'rafting',
  });
  expect(readCommand(['keys', '--help'])).toEqual({ kind: 'help' });
});

test.each([
  [['keys', 'turn'], 'there is no command "keys turn"; there are:'],
  [['keys'], 'there is no command "keys"'],
  [['backup'], 'backup takes the name of one file: waiver-service backup <file>'],
  [['restore', 'a', 'b'], 'restore takes the name of one file'],
  [['backup', ''], 'backup takes the name of one file'],
  [['backup', 'a', '--json'], 'backup takes no --json'],
  [['pool'], 'there is no command "pool"'],
  [['pool', 'move', 'rafting'], 'pool move takes the id of a pool, and --to <cell> or --cancel'],
  [['pool', 'move', '--to', 'us1'], 'pool move takes the id of a pool'],
  [['pool', 'move', 'rafting', '--to', 'us1', '--cancel'], 'pool move takes the id of a pool'],
  [['backup', 'a', '--to', 'us1'], 'backup takes no --to'],
  [['doctor', 'now'], 'there is no command "doctor now"'],
  [['backup', 'a', '--force'], "Unknown option '--force'"],
])('a wrong line, %j, says what is right', (line, message) => {
  expect(() => readCommand(line)).toThrow(CommandLineError);
  expect(() => readCommand(line)).toThrow(message);
});

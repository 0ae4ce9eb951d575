import { describe, expect, it } from 'vitest';
import { readOptions, UsageError } from '../src/harness/options.ts';

const names = ['accept', 'claim'];

describe('the command line', () => {
  it('asks for all rows and five pairs where it says nothing', () => {
    expect(readOptions([], names)).toEqual({ only: [], list: false, pairs: 5 });
  });

  it('names rows and the number of pairs', () => {
    const args = ['--only', 'accept', '--only', 'claim', '--pairs', '7'];
    expect(readOptions(args, names)).toEqual({ only: names, list: false, pairs: 7 });
  });

  it('asks for the list', () => {
    expect(readOptions(['--list'], names).list).toBe(true);
  });

  it.each([
    [['--only', 'acept'], /no row is named acept; the rows are: accept, claim/],
    [['--pairs', '0'], /--pairs takes a whole number/],
    [['--pairs', '2.5'], /--pairs takes a whole number/],
    [['--pairs', '1000'], /--pairs takes a whole number/],
    [['--fast'], /usage: npm run bench/],
    [['accept'], /usage: npm run bench/],
    [['--only'], /usage: npm run bench/],
  ])('refuses %j and says what can be', (args, message) => {
    expect(() => readOptions(args, names)).toThrow(UsageError);
    expect(() => readOptions(args, names)).toThrow(message);
  });
});

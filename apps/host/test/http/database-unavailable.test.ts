import { expect, test } from 'vitest';
import { problemOf } from '../../src/http/problem-answers.ts';

const coded = (message: string, more: Readonly<Record<string, unknown>>) =>
  Object.assign(new Error(message), more);

test.each<[string, Error]>([
  ['no connection is left', coded('sorry, too many clients already', { code: '53300' })],
  ['it is being stopped', coded('terminating connection', { code: '57P01' })],
  ['it is starting', coded('the database system is starting up', { code: '57P03' })],
  ['a statement took too long', coded('canceling statement', { code: '57014' })],
  ['it takes no writes any more', coded('cannot execute INSERT', { code: '25006' })],
  ['no listener', coded('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })],
  ['its socket is not there', coded('connect ENOENT', { code: 'ENOENT', syscall: 'connect' })],
  [
    'none of its addresses answers',
    new AggregateError([coded('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' })]),
  ],
  ['the connection broke', new Error('Connection terminated unexpectedly')],
  ['every connection is busy', new Error('timeout exceeded when trying to connect')],
])('database unavailable (%s): 503 with advice', (_why, error) => {
  expect(problemOf(error)).toMatchObject({
    status: 503,
    code: 'database_unavailable',
    message: expect.stringContaining('send it again'),
    headers: { 'retry-after': '5' },
  });
});

test.each<[string, Error]>([
  ['a transaction that was broken off before', coded('aborted', { code: '25P02' })],
  ['a value that it refuses', coded('duplicate key', { code: '23505' })],
  ['a file that is not there', coded('open ENOENT', { code: 'ENOENT', syscall: 'open' })],
  ['a bug', new TypeError('undefined is not a function')],
])('%s is no such thing: 500', (_why, error) => {
  expect(problemOf(error)).toMatchObject({ status: 500, code: 'internal' });
});

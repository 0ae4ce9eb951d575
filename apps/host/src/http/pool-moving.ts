import { isPoolMoving } from '@waiver-service/store';
import { HttpProblem } from './http-problem.ts';

/** The response to a change of a pool that is being moved to another cell; `undefined` for other errors. */
export function poolMoving(error: Error): HttpProblem | undefined {
  if (!isPoolMoving(error)) return undefined;
  return new HttpProblem(
    503,
    'pool_moving',
    'The pool is being moved and takes no changes for a moment. Nothing is wrong with the request: send it again, unchanged.',
    { headers: { 'retry-after': '5' }, cause: error },
  );
}

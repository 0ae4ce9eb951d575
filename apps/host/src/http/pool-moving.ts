import { isPoolMoving } from '@waiver-service/store';
import { HttpProblem } from './http-problem.ts';

/** The response to a change of a pool that is being moved to another cell. */
export const poolMovingProblem = (cause: unknown) =>
  new HttpProblem(
    503,
    'pool_moving',
    'The pool is being moved and takes no changes for a moment. Nothing is wrong with the request: send it again, unchanged.',
    { headers: { 'retry-after': '5' }, cause },
  );

/** {@link poolMovingProblem}, if the database has refused a change for it; `undefined` for other errors. */
export const poolMoving = (error: Error): HttpProblem | undefined =>
  isPoolMoving(error) ? poolMovingProblem(error) : undefined;

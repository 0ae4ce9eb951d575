import { HttpProblem } from '../http/http-problem.ts';

/** 409: the earlier signing, which may be voided, erased or expired, can no longer be confirmed. */
export const signAgain = (): HttpProblem =>
  new HttpProblem(
    409,
    'sign_again',
    'What was signed before can no longer be confirmed for this visit: it must be signed again.',
  );

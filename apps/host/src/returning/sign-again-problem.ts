import { HttpProblem } from '../http/http-problem.ts';

/** 409: what was signed before cannot be confirmed any more, such as because it was voided, erased, or has run out. */
export const signAgain = (): HttpProblem =>
  new HttpProblem(
    409,
    'sign_again',
    'What was signed before can no longer be confirmed for this visit: it must be signed again.',
  );

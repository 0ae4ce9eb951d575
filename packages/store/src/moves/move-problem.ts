/** A pool cannot be moved; the message says why and what to do. Contains no secret. */
export class MoveProblem extends Error {
  override readonly name = 'MoveProblem';
}

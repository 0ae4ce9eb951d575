import type { HttpProblem } from '../http/http-problem.ts';

/**
 * Thrown by whatever finds out that a request is for another cell, before it has done anything of it. The request is then
 * sent on, and the other cell's answer is the answer.
 */
export class LivesElsewhere extends Error {
  override readonly name = 'LivesElsewhere';
  /** The cells to ask, in this order. */
  readonly cells: readonly string[];
  /** The answer if none of them knows the pool; undefined if the first one's answer is the answer, whatever it is. */
  readonly otherwise: HttpProblem | undefined;

  constructor(cells: readonly string[], otherwise?: HttpProblem) {
    super(`this is for another cell: ${cells.join(', ')}`);
    this.cells = cells;
    this.otherwise = otherwise;
  }
}

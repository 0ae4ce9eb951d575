import type { SimulatedAnswer } from '@waiver-service/simulator';

/** An error of Peek: status 400 with a code, except for a missing (401) or wrong (403) key. */
export class PeekRefusal extends Error {
  readonly answer: SimulatedAnswer;

  constructor(error: string, errorMessage: string, details: object = {}, status = 400) {
    super(errorMessage);
    this.answer = { status, body: { error, errorMessage, ...details } };
  }
}

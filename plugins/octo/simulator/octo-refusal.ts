import type { SimulatedAnswer } from '@waiver-service/simulator';

/** An OCTO error: always status 400, with a code. */
export class OctoRefusal extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get answer(): SimulatedAnswer {
    return { status: 400, body: { error: this.code, errorMessage: this.message, ...this.details } };
  }
}

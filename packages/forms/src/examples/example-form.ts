import type { FormContent } from '../content.ts';

/** A starting point for a trade's form. Its texts are examples: have a lawyer review them. */
export interface ExampleForm {
  /** Such as `rafting`. */
  readonly trade: string;
  readonly name: string;
  readonly content: FormContent;
}

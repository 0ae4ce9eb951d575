import type { FormContent } from '../content.ts';

/** A form for a trade, to begin with. Its texts are examples: counsel must judge them. */
export interface ExampleForm {
  /** Such as `rafting`. */
  readonly trade: string;
  readonly name: string;
  readonly content: FormContent;
}

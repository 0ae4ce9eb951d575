import type { ExampleForm } from './example-form.ts';
import { rafting } from './rafting.ts';

export type { ExampleForm };

/** Forms for twenty trades; the first is the default. */
export const exampleForms: readonly ExampleForm[] = [rafting];

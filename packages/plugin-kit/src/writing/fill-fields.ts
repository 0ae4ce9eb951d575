import type { Waiver } from '@waiver-service/core';
import { answerForField } from './answer-for-field.ts';

/** A field of a vendor's form. */
export interface FormField {
  readonly id: unknown;
  readonly label: string;
  readonly isRequired: boolean;
}

/** The result of {@link fillFields}. */
export interface FilledForm {
  readonly values: readonly { readonly id: unknown; readonly value: string }[];
  /** The labels of required fields without an answer. */
  readonly missing: readonly string[];
}

/** Fills a vendor's form with a waiver's shared answers. */
export function fillFields(waiver: Waiver, fields: readonly FormField[]): FilledForm {
  const answered = fields.map((field) => ({ ...field, value: answerForField(waiver, field.label) }));
  return {
    values: answered.flatMap(({ id, value }) => (value === undefined ? [] : [{ id, value }])),
    missing: answered.flatMap(({ label, isRequired, value }) =>
      isRequired && value === undefined ? [label] : [],
    ),
  };
}

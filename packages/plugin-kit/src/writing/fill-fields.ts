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
  /** The labels of the required fields that have no answer. */
  readonly missing: readonly string[];
}

/** Fills a vendor's form with the answers that the installation shares of a waiver. */
export function fillFields(waiver: Waiver, fields: readonly FormField[]): FilledForm {
  const answered = fields.map((field) => ({ ...field, value: answerForField(waiver, field.label) }));
  return {
    values: answered.flatMap(({ id, value }) => (value === undefined ? [] : [{ id, value }])),
    missing: answered.flatMap(({ label, isRequired, value }) =>
      isRequired && value === undefined ? [label] : [],
    ),
  };
}

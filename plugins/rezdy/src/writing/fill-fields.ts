import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import { answerForField, type JsonObject, textOf } from '@waiver-service/plugin-kit';
import { personLabels, personOf, plainLabel } from '../native/participants.ts';

/** A participant's fields, filled with shared answers. */
export interface FilledFields {
  readonly fields: readonly JsonObject[];
  /** The labels of the fields whose values changed. */
  readonly changed: readonly string[];
  /** The labels of the fields that already had the shared answer. */
  readonly matching: readonly string[];
  /** The names of the shared answers that fit no field, or only in part. */
  readonly unused: readonly string[];
}

const contractFields: readonly string[] = waiverFieldNames;
const normalizeSpace = (text: string) => text.trim().replace(/\s+/g, ' ');

/** Splits a name: its last word is the last name; a single word is a first name. */
function splitName(name: string): { readonly firstName: string; readonly lastName: string | undefined } {
  const words = normalizeSpace(name).split(' ');
  const lastName = words.length > 1 ? words.pop() : undefined;
  return { firstName: words.join(' '), lastName };
}

/** Whether the fields, put together, already say the shared name. */
function saySharedName(waiver: Waiver, fields: readonly JsonObject[]): boolean {
  const shared = answerForField(waiver, 'name');
  return shared !== undefined && normalizeSpace(personOf(fields).name ?? '') === normalizeSpace(shared);
}

/** Whether the fields name a person, and not the one of the shared name. */
export function nameAnother(waiver: Waiver, fields: readonly JsonObject[]): boolean {
  const isNamed = normalizeSpace(personOf(fields).name ?? '') !== '';
  return isNamed && answerForField(waiver, 'name') !== undefined && !saySharedName(waiver, fields);
}

/** The part of a name that a field asks for; `undefined` for any other field. */
function namePartOf(label: string): 'firstName' | 'lastName' | undefined {
  const plain = plainLabel(label);
  const parts = ['firstName', 'lastName'] as const;
  return parts.find((part) => personLabels[part].some((known) => known === plain));
}

/** The shared answer for a field. If the fields already say the shared name, its split into two fields is kept. */
function sharedAnswerFor(waiver: Waiver, field: JsonObject, hasSharedName: boolean): unknown {
  const label = String(field.label);
  const answer = answerForField(waiver, label);
  const name = answerForField(waiver, 'name');
  const part = namePartOf(label);
  if (answer !== undefined || name === undefined || part === undefined) return answer;
  return hasSharedName ? field.value : splitName(name)[part];
}

/** The choices of a field; empty if it accepts any value. */
const choicesOf = ({ listOptions }: JsonObject): readonly unknown[] =>
  (textOf(listOptions) ?? '').split(/\r?\n/).filter((choice) => choice !== '');

/** The shared answer if the field accepts it: Rezdy might reject the whole order for an invalid choice. */
function answerFor(waiver: Waiver, field: JsonObject, hasSharedName: boolean): unknown {
  const answer = sharedAnswerFor(waiver, field, hasSharedName);
  const choices = choicesOf(field);
  return choices.length === 0 || choices.includes(answer) ? answer : undefined;
}

/** The names of the answers that the installation shares, without empty ones. */
function sharedNames(waiver: Waiver): string[] {
  const isEmpty = (value: unknown) => value === undefined || value === null || value === '';
  return Object.keys(waiver).filter((name) => !contractFields.includes(name) && !isEmpty(waiver[name]));
}

/** The waiver as if it shared this answer alone. */
function sharingOnly(waiver: Waiver, name: string): Waiver {
  const { id, pool, bookingId, lastVisit, deleted, updatedAt } = waiver;
  return { id, pool, bookingId, lastVisit, deleted, updatedAt, [name]: waiver[name] };
}

/** Fills a participant's fields with shared answers. No field is added or emptied. */
export function fillFields(waiver: Waiver, fields: readonly JsonObject[]): FilledFields {
  const hasSharedName = saySharedName(waiver, fields);
  const changed: string[] = [];
  const matching: string[] = [];
  const filled = fields.map((field) => {
    const answer = answerFor(waiver, field, hasSharedName);
    if (answer === undefined) return field;
    const isChanged = answer !== field.value;
    (isChanged ? changed : matching).push(String(field.label));
    return isChanged ? { ...field, value: answer } : field;
  });
  const isUnused = (name: string) => {
    if (name === 'name') return !saySharedName(waiver, filled);
    const alone = sharingOnly(waiver, name);
    return !fields.some((field) => answerFor(alone, field, false) !== undefined);
  };
  return { fields: filled, changed, matching, unused: sharedNames(waiver).filter(isUnused) };
}

import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { personLabels, personOf, plainLabel } from '../native/participants.ts';

/** A participant's fields, filled with shared answers. */
export interface FilledFields {
  readonly fields: readonly kit.JsonObject[];
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
function splitName(name: string): { readonly firstName: string; readonly lastName?: string } {
  const words = normalizeSpace(name).split(' ');
  const lastName = words.length > 1 ? words.pop() : undefined;
  return { firstName: words.join(' '), ...(lastName !== undefined && { lastName }) };
}

const isOneOf = (labels: readonly string[], { label }: kit.JsonObject) => labels.includes(plainLabel(label));

/** The choices of a field; empty if it accepts any value. */
const choicesOf = ({ listOptions }: kit.JsonObject) =>
  (kit.textOf(listOptions) ?? '').split(/\r?\n/).filter((choice) => choice !== '');

/** The shared answer for a field. If the fields already have the shared name, its split into two fields is kept. */
function sharedAnswerFor(waiver: Waiver, field: kit.JsonObject, hasSharedName: boolean): unknown {
  const answer = kit.answerForField(waiver, String(field.label));
  const name = kit.answerForField(waiver, 'name');
  const isFirst = isOneOf(personLabels.firstName, field);
  const isLast = isOneOf(personLabels.lastName, field);
  if (answer !== undefined || name === undefined || (!isFirst && !isLast)) return answer;
  if (hasSharedName) return field.value;
  return isFirst ? splitName(name).firstName : splitName(name).lastName;
}

/** The shared answer if the field accepts it: Rezdy might reject the whole order for an invalid choice. */
function answerFor(waiver: Waiver, field: kit.JsonObject, hasSharedName: boolean): unknown {
  const answer = sharedAnswerFor(waiver, field, hasSharedName);
  const choices = choicesOf(field);
  return choices.length === 0 || choices.some((choice) => choice === answer) ? answer : undefined;
}

const sharedAnswers = (waiver: Waiver) =>
  Object.entries(waiver).filter(
    ([name, value]) =>
      !contractFields.includes(name) && value !== undefined && value !== null && value !== '',
  );

/** Whether a shared answer fits any of the fields. */
function fitsAnyField(waiver: Waiver, name: string, fields: readonly kit.JsonObject[]): boolean {
  const { id, pool, bookingId, lastVisit, deleted, updatedAt } = waiver;
  const withOneAnswer = { id, pool, bookingId, lastVisit, deleted, updatedAt, [name]: waiver[name] };
  return fields.some((field) => answerFor(withOneAnswer, field, false) !== undefined);
}

/** Fills a participant's fields with shared answers. No field is added or emptied. */
export function fillFields(waiver: Waiver, fields: readonly kit.JsonObject[]): FilledFields {
  const name = kit.answerForField(waiver, 'name');
  const haveName = (list: readonly kit.JsonObject[]) =>
    name !== undefined && normalizeSpace(personOf(list).name ?? '') === normalizeSpace(name);
  const hasSharedName = haveName(fields);
  const changed: string[] = [];
  const matching: string[] = [];
  const filled = fields.map((field) => {
    const answer = answerFor(waiver, field, hasSharedName);
    if (answer === undefined) return field;
    const isUnchanged = answer === field.value;
    (isUnchanged ? matching : changed).push(String(field.label));
    return isUnchanged ? field : { ...field, value: answer };
  });
  const isUnused = (answer: string) =>
    answer === 'name' ? !haveName(filled) : !fitsAnyField(waiver, answer, fields);
  const unused = sharedAnswers(waiver).flatMap(([answer]) => (isUnused(answer) ? [answer] : []));
  return { fields: filled, changed, matching, unused };
}

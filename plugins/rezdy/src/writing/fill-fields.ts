import { type Waiver, waiverFieldNames } from '@waiver-service/core';
import * as kit from '@waiver-service/plugin-kit';
import { personLabels, personOf, plainLabel } from '../native/participants.ts';

/** A participant's fields with what is shared of a waiver. */
export interface FilledFields {
  readonly fields: readonly kit.JsonObject[];
  /** The labels of the fields that have other values now. */
  readonly changed: readonly string[];
  /** The labels of the fields that said what the waiver says already. */
  readonly matching: readonly string[];
  /** The names of the shared answers that found no field, or not wholly. */
  readonly left: readonly string[];
}

const contractFields: readonly string[] = waiverFieldNames;
const squeezed = (text: string) => text.trim().replace(/\s+/g, ' ');

/** A name for two fields: its last word is the last name. One word is a first name. */
function partsOf(name: string): { readonly firstName: string; readonly lastName?: string } {
  const words = squeezed(name).split(' ');
  const lastName = words.length > 1 ? words.pop() : undefined;
  return { firstName: words.join(' '), ...(lastName !== undefined && { lastName }) };
}

const isOneOf = (labels: readonly string[], { label }: kit.JsonObject) => labels.includes(plainLabel(label));

/** The values that a field of fixed choices takes; none where it takes any. */
const choicesOf = ({ listOptions }: kit.JsonObject) =>
  (kit.textOf(listOptions) ?? '').split(/\r?\n/).filter((choice) => choice !== '');

/** What the waiver says for a field; `undefined` where it says nothing. */
function saidFor(waiver: Waiver, field: kit.JsonObject, isNamedSo: boolean): unknown {
  const answer = kit.answerForField(waiver, String(field.label));
  const name = kit.answerForField(waiver, 'name');
  const [isFirst, isLast] = [isOneOf(personLabels.firstName, field), isOneOf(personLabels.lastName, field)];
  if (answer !== undefined || name === undefined || (!isFirst && !isLast)) return answer;
  if (isNamedSo) return field.value;
  return isFirst ? partsOf(name).firstName : partsOf(name).lastName;
}

/** The same where the field takes it: Rezdy might refuse the whole order for a value that is none of its choices. */
function answerFor(waiver: Waiver, field: kit.JsonObject, isNamedSo: boolean): unknown {
  const said = saidFor(waiver, field, isNamedSo);
  const choices = choicesOf(field);
  return choices.length === 0 || choices.some((choice) => choice === said) ? said : undefined;
}

const sharedAnswers = (waiver: Waiver) =>
  Object.entries(waiver).filter(
    ([name, value]) =>
      !contractFields.includes(name) && value !== undefined && value !== null && value !== '',
  );

/** Whether any field takes this one answer. */
function isTaken(waiver: Waiver, name: string, fields: readonly kit.JsonObject[]): boolean {
  const { id, pool, bookingId, lastVisit, deleted, updatedAt } = waiver;
  const alone = { id, pool, bookingId, lastVisit, deleted, updatedAt, [name]: waiver[name] };
  return fields.some((field) => answerFor(alone, field, false) !== undefined);
}

/** Fills a participant's fields with what is shared of a waiver. No field is added, none is emptied. */
export function fillFields(waiver: Waiver, fields: readonly kit.JsonObject[]): FilledFields {
  const name = kit.answerForField(waiver, 'name');
  const isNamed = (list: readonly kit.JsonObject[]) =>
    name !== undefined && squeezed(personOf(list).name ?? '') === squeezed(name);
  // How staff divided a name stays as it is.
  const isNamedSo = isNamed(fields);
  const changed: string[] = [];
  const matching: string[] = [];
  const filled = fields.map((field) => {
    const answer = answerFor(waiver, field, isNamedSo);
    if (answer === undefined) return field;
    const isRight = answer === field.value;
    (isRight ? matching : changed).push(String(field.label));
    return isRight ? field : { ...field, value: answer };
  });
  const isLeft = (answer: string) =>
    answer === 'name' ? !isNamed(filled) : !isTaken(waiver, answer, fields);
  const left = sharedAnswers(waiver).flatMap(([answer]) => (isLeft(answer) ? [answer] : []));
  return { fields: filled, changed, matching, left };
}

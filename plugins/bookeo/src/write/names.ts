import type { Waiver } from '@waiver-service/core';
import { answerForField, definedFields, type JsonObject, textOf } from '@waiver-service/plugin-kit';

type Names = { readonly firstName?: string; readonly lastName?: string };

/** Splits a name as Bookeo stores it: the last word is the last name; a single word is a first name. */
function splitName(name: string): Names {
  const words = name.split(/\s+/);
  const lastName = words.length > 1 ? words.pop() : undefined;
  return definedFields({ firstName: textOf(words.join(' ')), lastName });
}

/** The shared name of the guest; a shared first or last name takes precedence over the split full name. */
export function namesOf(waiver: Waiver): Names {
  const firstName = textOf(answerForField(waiver, 'firstName'));
  const lastName = textOf(answerForField(waiver, 'lastName'));
  if (firstName !== undefined || lastName !== undefined) return definedFields({ firstName, lastName });
  return splitName(textOf(answerForField(waiver, 'name')) ?? '');
}

/** Whether a person has no name, for example one created from a waiver before the installation shared names. */
export const isNameless = ({ firstName, lastName }: JsonObject): boolean =>
  textOf(firstName) === undefined && textOf(lastName) === undefined;

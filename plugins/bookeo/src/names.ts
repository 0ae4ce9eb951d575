import type { Waiver } from '@waiver-service/core';
import { answerForField, type JsonObject, textOf } from '@waiver-service/plugin-kit';

/** The shared name of the guest, split as Bookeo stores it: the last word is the last name. */
export function namesOf(waiver: Waiver): { readonly firstName?: string; readonly lastName?: string } {
  const first = answerForField(waiver, 'firstName');
  const last = answerForField(waiver, 'lastName');
  const words = (textOf(answerForField(waiver, 'name')) ?? '').split(/\s+/);
  const splitLast = words.length > 1 ? words.at(-1) : undefined;
  const splitFirst = words.slice(0, splitLast === undefined ? 1 : -1).join(' ');
  const firstName = textOf(first ?? (last === undefined ? splitFirst : undefined));
  const lastName = textOf(last ?? (first === undefined ? splitLast : undefined));
  return {
    ...(firstName === undefined ? {} : { firstName }),
    ...(lastName === undefined ? {} : { lastName }),
  };
}

/** Whether a person has no name, for example one created from a waiver before the installation shared names. */
export const isNameless = ({ firstName, lastName }: JsonObject): boolean =>
  textOf(firstName) === undefined && textOf(lastName) === undefined;

import { type JsonObject, objectOf, type Reading } from '@waiver-service/plugin-kit';
import { answerOf } from './custom-fields.ts';

// Far above any charter: a phone number in a text field must not become a number of people.
const maxPeople = 10_000;

function peopleIn(reading: Reading, answer: string | undefined, path: string): number | undefined {
  if (answer === undefined) return undefined;
  const people = /^\d+$/.test(answer) ? Number(answer) : 0;
  if (people >= 1 && people <= maxPeople) return people;
  const message = `${path} has an answer in guestCountField that is not a whole number from 1 to ${maxPeople}: ignored`;
  reading.warn('value_ignored', path, message);
  return undefined;
}

/**
 * The number of people of a booking: its customers or, for a company that sells a charter as one customer, the answer in
 * `countField`. The booking's answer counts before the customers'; a customer without one is one person.
 */
export function paxOf(
  reading: Reading,
  { custom_field_values: values }: JsonObject,
  customers: readonly unknown[],
  countField: string | undefined,
): number {
  if (countField === undefined) return customers.length;
  const peopleOf = (customer: unknown, index: number) => {
    const answer = answerOf(objectOf(customer).custom_field_values, countField);
    return peopleIn(reading, answer, `customers[${index}].custom_field_values`) ?? 1;
  };
  const path = 'custom_field_values';
  const people =
    peopleIn(reading, answerOf(values, countField), path) ??
    customers.map(peopleOf).reduce((sum, count) => sum + count, 0);
  if (people >= customers.length) return people;
  const message = `guestCountField says ${people}, but there are ${customers.length} customers: they count`;
  reading.warn('count_disagrees', path, message);
  return customers.length;
}

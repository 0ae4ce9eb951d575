import { objectOf, type Reading, textOf } from '@waiver-service/plugin-kit';
import { countOf } from './count.ts';
import { type CheckfrontLine, isAddOn } from './shapes.ts';

/** The number of people of a line. */
export interface LinePeople {
  readonly count: number;
  readonly byParameter: ReadonlyMap<string, number>;
}

const usualNames = new Set(
  [
    'adult',
    'child',
    'children',
    'kid',
    'infant',
    'baby',
    'babies',
    'toddler',
    'youth',
    'teen',
    'teenager',
    'junior',
    'senior',
    'student',
    'concession',
    'guest',
    'person',
    'people',
    'pax',
    'participant',
    'passenger',
    'traveler',
    'traveller',
    'visitor',
    'attendee',
    'player',
    'rider',
    'diver',
    'snorkeler',
    'snorkeller',
    'paddler',
    'climber',
    'swimmer',
    'skier',
  ].flatMap((name) => [name, `${name}s`]),
);

// Matches `adults`, `Adults (18+)` and `child512`, but not `guesttowels`.
const isUsualName = (name: string | undefined) =>
  name !== undefined && usualNames.has(name.toLowerCase().replace(/[^\p{L}]/gu, ''));

const quantityOf = (parameter: unknown) => countOf(parameter) ?? countOf(objectOf(parameter).qty) ?? 0;

type Counts = readonly (readonly [id: string, count: number])[];

const sumOf = (parameters: Counts) => parameters.reduce((sum, [, count]) => sum + count, 0);

/** The parameters of a line, with quantities: those that count people, and the others. */
function parametersOf(
  { value }: CheckfrontLine,
  guestParameters: readonly string[] | undefined,
): { readonly guests: Counts; readonly others: Counts } {
  const isGuest = (id: string, parameter: unknown) =>
    guestParameters?.includes(id) ?? (isUsualName(id) || isUsualName(textOf(objectOf(parameter).lbl)));
  const guests: [id: string, count: number][] = [];
  const others: [id: string, count: number][] = [];
  for (const [id, parameter] of Object.entries(objectOf(value.param))) {
    const counted = isGuest(id, parameter) ? guests : others;
    counted.push([id, quantityOf(parameter)]);
  }
  return { guests, others };
}

/** Whether the parameters of a line count at least one person. */
export const hasPeople = (line: CheckfrontLine, guestParameters: readonly string[] | undefined): boolean =>
  sumOf(parametersOf(line, guestParameters).guests) > 0;

function warnOfOthers(reading: Reading, path: string, others: Counts): void {
  const counted = others.filter(([, count]) => count > 0).map(([id, count]) => `${id} (${count})`);
  if (counted.length === 0) return;
  const message = `${path} has parameters that were not counted as people: ${counted.join(', ')}; if any are, name all that are in guestParameters`;
  reading.warn('count_disagrees', path, message);
}

function warnOfQuantity(reading: Reading, path: string, quantity: number | undefined): void {
  const taken =
    quantity === undefined
      ? 'no qty either: it was counted as one'
      : `its qty of ${quantity}, which may count things, was taken`;
  const message = `${path} has no parameter that counts people, and ${taken}; name such parameters in guestParameters`;
  reading.warn('count_disagrees', path, message);
}

/**
 * Counts the people of a line. `qty` counts things (a boat for eight has a `qty` of 1), so the parameters are summed:
 * those that the account names, or else those with a usual name. Without any, `qty` is used, with a warning, except for
 * an add-on: it is used by the people of its line, so it counts none.
 */
export function readPeople(
  reading: Reading,
  line: CheckfrontLine,
  guestParameters: readonly string[] | undefined,
): LinePeople {
  const { path, value } = line;
  const { guests, others } = parametersOf(line, guestParameters);
  const byParameter = new Map(guests);
  if (guests.length > 0) {
    if (guestParameters === undefined) warnOfOthers(reading, path, others);
    return { count: sumOf(guests), byParameter };
  }
  if (isAddOn(line)) return { count: 0, byParameter };
  const quantity = countOf(value.qty);
  warnOfQuantity(reading, path, quantity);
  return { count: quantity ?? 1, byParameter };
}

import { objectOf, type Reading, textOf } from '@waiver-service/plugin-kit';
import { countOf } from './count.ts';
import { isAddOn } from './sessions.ts';
import type { CheckfrontLine } from './shape.ts';

/** The people of one line, by the parameters that count them. */
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

// `adults`, `Adults (18+)` and `child512` are names of people; `guesttowels` is none.
const isUsualName = (name: string | undefined) =>
  name !== undefined && usualNames.has(name.toLowerCase().replace(/[^\p{L}]/gu, ''));

const quantityOf = (parameter: unknown) => countOf(parameter) ?? countOf(objectOf(parameter).qty) ?? 0;

type Parameters = readonly (readonly [id: string, count: number])[];

const sumOf = (parameters: Parameters) => parameters.reduce((sum, [, count]) => sum + count, 0);

function warnOfOthers(reading: Reading, path: string, others: Parameters): void {
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
 * The people of a line. Checkfront counts things (a boat for eight has a `qty` of 1), so its parameters count: those that
 * the account names, else those with a usual name. Where a line has none of them its `qty` is taken, with a warning; what
 * was added to another line then counts nobody, since that line's people use it.
 */
export function readPeople(
  reading: Reading,
  line: CheckfrontLine,
  guestParameters: readonly string[] | undefined,
): LinePeople {
  const { path, value } = line;
  const isGuest = (id: string, parameter: unknown) =>
    guestParameters?.includes(id) ?? (isUsualName(id) || isUsualName(textOf(objectOf(parameter).lbl)));
  const guests: [string, number][] = [];
  const others: [string, number][] = [];
  for (const [id, parameter] of Object.entries(objectOf(value.param))) {
    (isGuest(id, parameter) ? guests : others).push([id, quantityOf(parameter)]);
  }
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

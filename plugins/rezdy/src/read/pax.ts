import { type ListedObject, objectsIn, type Reading, requiredCount } from '@waiver-service/plugin-kit';
import { participantsOf } from './participants.ts';

/** The sum of an item's quantities, or its total if it has none. */
function readQuantity(reading: Reading, { value, path }: ListedObject): number {
  const quantities = objectsIn(value.quantities);
  if (quantities.length === 0) return requiredCount(reading, value.totalQuantity, `${path}.totalQuantity`);
  return quantities
    .map((quantity, index) => requiredCount(reading, quantity.value, `${path}.quantities[${index}].value`))
    .reduce((sum, count) => sum + count, 0);
}

const isWithoutQuantity = ({ quantities, totalQuantity }: ListedObject['value']) =>
  objectsIn(quantities).length === 0 && (totalQuantity === undefined || totalQuantity === null);

/**
 * The number of people that an item is booked for. There may be fewer participants, since they can be added later. A
 * cancelled order may have lost its quantities; then its participants are counted.
 */
export function readPax(reading: Reading, item: ListedObject, isOrderCancelled: boolean): number {
  const { value, path } = item;
  const participants = participantsOf(item).length;
  if (isOrderCancelled && isWithoutQuantity(value)) return participants;
  const pax = readQuantity(reading, item);
  const warnIfOther = (name: string, count: number) => {
    if (count === pax) return;
    reading.warn('count_disagrees', `${path}.${name}`, `${path} is for ${pax}, its ${name} say ${count}`);
  };
  warnIfOther('totalQuantity', Number(value.totalQuantity ?? pax));
  if (participants > 0) warnIfOther('participants', participants);
  return pax;
}

import {
  type JsonObject,
  type ListedObject,
  objectsIn,
  type Reading,
  requiredObjects,
} from '@waiver-service/plugin-kit';
import { isCancelled } from '../status-map.ts';

/** An item bought for one guest, or for a family. */
export interface UnitItem extends ListedObject {
  /** Its uuid; a repeated uuid gets a suffix: `…:2`. */
  readonly id: string | undefined;
}

/** All unit items of a booking, including cancelled ones. */
export function unitItemsOf(reading: Reading, list: unknown): readonly UnitItem[] {
  const occurrences = new Map<string, number>();
  return requiredObjects(reading, list, 'unitItems').map(({ value, path }) => {
    const { uuid } = value;
    if (typeof uuid !== 'string' || uuid === '') return { value, path, id: undefined };
    const occurrence = (occurrences.get(uuid) ?? 0) + 1;
    occurrences.set(uuid, occurrence);
    if (occurrence === 1) return { value, path, id: uuid };
    const id = `${uuid}:${occurrence}`;
    reading.warn('value_ignored', `${path}.uuid`, `${path} repeats a uuid; its guest is ${id}`);
    return { value, path, id };
  });
}

/** A booking's status, or that of its unit items if all of them were cancelled one by one. */
export function statusOf({ status, unitItems }: JsonObject): unknown {
  const items = objectsIn(unitItems);
  const [first] = items;
  const areAllCancelled = first !== undefined && items.every((item) => isCancelled(item.status));
  return areAllCancelled && !isCancelled(status) ? first.status : status;
}

/**
 * The unit items of people who attend. Items on hold count, because some stay on hold in a confirmed booking. A
 * cancelled booking keeps all its items, if it still lists them.
 */
export function attendedItems(reading: Reading, booking: JsonObject): readonly UnitItem[] {
  const { unitItems } = booking;
  if (isCancelled(statusOf(booking))) return unitItemsOf(reading, unitItems ?? []);
  return unitItemsOf(reading, unitItems).filter(({ value }) => !isCancelled(value.status));
}

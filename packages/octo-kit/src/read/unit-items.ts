import {
  type JsonObject,
  type ListedObject,
  objectsIn,
  type Reading,
  requiredObjects,
  textOf,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import { isCancelled, statusMap } from '../status-map.ts';

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
 * Whether another unit item has replaced this one: it was upgraded to it, or the same booking lists the other one too,
 * not cancelled. Two that name each other both count, so that no one is left out.
 */
function isReplaced(
  { value: { uuid, status, rebookingUnitItemUuid } }: UnitItem,
  items: readonly UnitItem[],
): boolean {
  const replacement = textOf(rebookingUnitItemUuid);
  if (replacement === undefined || replacement === uuid) return false;
  if (status === 'UPGRADED') return true;
  return items.some(
    ({ value }) =>
      value.uuid === replacement &&
      !isCancelled(value.status) &&
      textOf(value.rebookingUnitItemUuid) !== uuid,
  );
}

/**
 * The unit items of people who attend. Items on hold count, because some stay on hold in a confirmed booking; so do
 * those of people who did not come, and those of an unknown status, with a warning. A cancelled booking keeps all its
 * items, if it still lists them.
 */
export function attendedItems(reading: Reading, booking: JsonObject): readonly UnitItem[] {
  const { unitItems } = booking;
  if (isCancelled(statusOf(booking))) return unitItemsOf(reading, unitItems ?? []);
  const items = unitItemsOf(reading, unitItems);
  return items.filter((item) => {
    const { value, path } = item;
    if (isCancelled(value.status)) return false;
    if (isReplaced(item, items)) {
      reading.warn('item_skipped', path, `${path} was replaced by another unit item: it counts no people`);
      return false;
    }
    const status = textOf(value.status);
    const meaning = 'its people are expected';
    if (status !== undefined) {
      warnOfUnknownStatus(reading, statusMap, { status, path: `${path}.status`, meaning });
    }
    return true;
  });
}

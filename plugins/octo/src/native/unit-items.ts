import { type ListedObject, type Reading, requiredObjects } from '@waiver-service/plugin-kit';

/** An item bought for one guest, or for a family. */
export interface UnitItem extends ListedObject {
  /** Its uuid; a repeated uuid gets a suffix: `…:2`. */
  readonly id: string | undefined;
}

/** All unit items of a booking, including cancelled ones. */
export function unitItemsOf(reading: Reading, list: unknown): readonly UnitItem[] {
  const seen = new Map<string, number>();
  return requiredObjects(reading, list, 'unitItems').map(({ value, path }) => {
    const { uuid } = value;
    if (typeof uuid !== 'string' || uuid === '') return { value, path, id: undefined };
    const times = (seen.get(uuid) ?? 0) + 1;
    seen.set(uuid, times);
    if (times === 1) return { value, path, id: uuid };
    reading.warn('value_ignored', `${path}.uuid`, `${path} repeats a uuid; its guest is ${uuid}:${times}`);
    return { value, path, id: `${uuid}:${times}` };
  });
}

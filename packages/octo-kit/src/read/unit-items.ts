import type { BookingSystemContext, BookingSystemHttp, Guest } from '@waiver-service/core';
import {
  createCatalogue,
  definedFields,
  invalidIdReason,
  isCopyOf,
  isJsonObject,
  type JsonObject,
  type ListedObject,
  objectOf,
  objectsIn,
  type Person,
  percentEncode,
  quoted,
  type Reading,
  type RequestPurpose,
  requiredObjects,
  textOf,
  vendorPerson,
  warnOfUnknownStatus,
} from '@waiver-service/plugin-kit';
import { httpStatusOf, isCancelled, raiseForOcto, statusMap } from '../answers.ts';

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

/** The units of the booked option, by id. */
type Units = ReadonlyMap<unknown, JsonObject>;

/** The booked product, and its units. */
export interface BookedProduct {
  readonly product: JsonObject;
  readonly units: Units;
}

/** A unit item's unit: included in it, or else from the product. */
export const unitOf = ({ value }: UnitItem, units: Units): JsonObject =>
  isJsonObject(value.unit) ? value.unit : objectOf(units.get(value.unitId));

/** Requests a product; `undefined` if it no longer exists. Throws core's errors. */
export async function requestProduct(
  http: BookingSystemHttp,
  id: string,
  request: RequestPurpose,
): Promise<JsonObject | undefined> {
  if (invalidIdReason(id) !== undefined) return undefined;
  const response = await http.get(`products/${percentEncode(id)}`);
  if (httpStatusOf(response) === 404) return undefined;
  raiseForOcto(response, request);
  return objectOf(response.data);
}

/** The units of the booked option, or of all options if it is not among them. */
function unitsOf(options: readonly JsonObject[], optionId: unknown): Units {
  const booked = options.filter(({ id }) => id === optionId);
  const units = (booked.length > 0 ? booked : options).flatMap((option) => objectsIn(option.units));
  return new Map(units.map((unit) => [unit.id, unit]));
}

/** The product as described in the booking, possibly not at all. */
function includedProduct(booking: JsonObject): BookedProduct {
  const product = objectOf(booking.product);
  const options = [...objectsIn(product.options), ...objectsIn([booking.option])];
  return { product, units: unitsOf(options, booking.optionId) };
}

/** The part of a product needed to read a booking, without long texts and pictures. */
function neededPart({ title, internalName, timeZone, availabilityType, options }: JsonObject): JsonObject {
  const neededOptions = objectsIn(options).map((option) => ({
    id: option.id,
    units: objectsIn(option.units).map(({ id, type, restrictions }) => ({ id, type, restrictions })),
  }));
  return { title, internalName, timeZone, availabilityType, options: neededOptions };
}

const products = createCatalogue<JsonObject>({ maxAgeMs: 600_000, maxEntries: 1_000 });

/** The client that requests a product, and the installation for which it is cached. */
export type ProductContext = Pick<BookingSystemContext, 'http' | 'installation'>;

/**
 * The booked product and its units. Bookings of Peek and Ventrata include neither: the product is then requested, and
 * cached for ten minutes. A cached one that lacks the booked option or a unit is requested again.
 */
export async function findProduct(
  reading: Reading,
  context: ProductContext,
  booking: JsonObject,
  items: readonly UnitItem[],
  bookingId: string,
): Promise<BookedProduct> {
  const included = includedProduct(booking);
  const { optionId } = booking;
  const isIncluded = ({ value }: UnitItem) => isJsonObject(value.unit) || included.units.has(value.unitId);
  const id = textOf(booking.productId) ?? textOf(included.product.id);
  if (id === undefined || (isJsonObject(booking.product) && items.every(isIncluded))) return included;
  const hasAll = ({ options }: JsonObject) => {
    const listed = objectsIn(options);
    const units = unitsOf(listed, optionId);
    const isOptionKnown = optionId === undefined || listed.some((option) => option.id === optionId);
    return isOptionKnown && items.every((item) => isIncluded(item) || units.has(item.value.unitId));
  };
  const request = async () => {
    const product = await requestProduct(context.http, id, { purpose: 'read', bookingId });
    return product && neededPart(product);
  };
  const requested = await products.read(context, id, request, hasAll);
  if (requested === undefined) {
    const message = `there is no product ${quoted(id)} any more: a unit that the booking does not describe counts as one person`;
    reading.warn('value_ignored', 'productId', message);
    return included;
  }
  return {
    product: { ...requested, ...included.product },
    units: new Map([...unitsOf(objectsIn(requested.options), booking.optionId), ...included.units]),
  };
}

/** The person described by an OCTO contact. */
export const personOf = (contact: unknown): Person =>
  vendorPerson({ ...objectOf(contact), email: objectOf(contact).emailAddress });

/** `adult`, `child`, or the vendor's own type: YOUTH, SENIOR, FAMILY and others. */
function participantTypeOf({ type }: JsonObject): string | undefined {
  const word = textOf(type);
  return word === 'ADULT' || word === 'CHILD' ? word.toLowerCase() : word;
}

/** A guest's answers to the vendor's questions (`octo/questions`), by label. */
function answersOf(questionAnswers: unknown): JsonObject {
  const answers = new Map<string, string>();
  for (const { question, questionId, value } of objectsIn(questionAnswers)) {
    const label = textOf(objectOf(question).label) ?? textOf(questionId);
    const answer = textOf(value);
    if (label !== undefined && answer !== undefined) answers.set(label, answer);
  }
  return Object.fromEntries(answers);
}

/** The names of a guest's extras (`octo/extras`). */
function extrasOf(extraItems: unknown): readonly string[] | undefined {
  const names = objectsIn(extraItems)
    .map(({ extra, extraId }) => {
      const { title, internalName } = objectOf(extra);
      return textOf(title) ?? textOf(internalName) ?? textOf(extraId);
    })
    .filter((name) => name !== undefined);
  return names.length > 0 ? names : undefined;
}

/** The properties of a contact besides name, email and phone number. */
function contactDetailsOf(contact: unknown): JsonObject {
  const { country, postalCode, notes, locales } = objectOf(contact);
  const languages = Array.isArray(locales) ? locales.filter((locale) => typeof locale === 'string') : [];
  return {
    ...definedFields({ country: textOf(country), postalCode: textOf(postalCode), notes: textOf(notes) }),
    ...(languages.length > 0 ? { locales: languages } : {}),
  };
}

/**
 * The guests of a booking. If several unit items have the booker's contact, it was copied, and those guests remain
 * unnamed; a single unit item with the booker's contact is the booker.
 */
export function readGuests(items: readonly UnitItem[], units: Units, booker: Person): Guest[] {
  const hasBookersContact = ({ value }: UnitItem) => {
    const person = personOf(value.contact);
    return person.name !== undefined && isCopyOf(person, booker);
  };
  const isCopied = items.filter(hasBookersContact).length > 1;
  return items.map((item) => {
    const { contact, unitId, questionAnswers, extraItems, waiversComplete } = item.value;
    const isOwnContact = !isCopied || !hasBookersContact(item);
    return {
      ...answersOf(questionAnswers),
      ...(isOwnContact ? contactDetailsOf(contact) : {}),
      participantType: participantTypeOf(unitOf(item, units)),
      unitId: textOf(unitId),
      extras: extrasOf(extraItems),
      waiversComplete,
      ...(isOwnContact ? personOf(contact) : {}),
      id: item.id,
    };
  });
}

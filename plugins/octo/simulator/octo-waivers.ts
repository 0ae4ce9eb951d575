import type { SimulatedAnswer } from '@waiver-service/simulator';
import type { OctoBooking, OctoProduct } from './octo-booking.ts';

/** An OCTO error: always status 400, with a code. */
export class OctoRefusal extends Error {
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get answer(): SimulatedAnswer {
    return { status: 400, body: { error: this.code, errorMessage: this.message, ...this.details } };
  }
}

/** By field id. */
type Answers = ReadonlyMap<string, unknown>;

function answersOf(values: unknown): Answers {
  if (!Array.isArray(values)) throw new OctoRefusal('BAD_REQUEST', 'waiverFieldValues must be an array');
  return new Map(
    values.map((record: unknown) => {
      const { fieldId, value } = Object(record);
      if (typeof fieldId !== 'string') throw new OctoRefusal('BAD_REQUEST', 'fieldId is missing');
      return [fieldId, value];
    }),
  );
}

const dataUri = 'data:application/pdf;base64,';
// No limit is documented.
const maxFileBytes = 5 * 1024 * 1024;

/** The PDF in a data URI. */
function fileOf(waiverFile: unknown): Buffer {
  const text = String(waiverFile);
  const pdf = Buffer.from(text.startsWith(dataUri) ? text.slice(dataUri.length) : '', 'base64');
  // Decoding skips invalid characters.
  const isWhole = text === `${dataUri}${pdf.toString('base64')}`;
  if (!isWhole || pdf.toString('latin1', 0, 5) !== '%PDF-')
    throw new OctoRefusal('BAD_REQUEST', 'waiverFile must be a PDF as data URI', { waiverFile });
  if (pdf.length > maxFileBytes) throw new OctoRefusal('BAD_REQUEST', 'waiverFile is too large');
  return pdf;
}

/** A completed waiver form. */
interface Filled {
  readonly answers: Answers;
  readonly file: Buffer | undefined;
}

/** The vendor's waiver forms completed for bookings and unit items (`octo/waivers`). */
export class OctoWaivers {
  readonly #products: ReadonlyMap<string, OctoProduct>;
  readonly #filled = new Map<string, Filled>();

  constructor(products: ReadonlyMap<string, OctoProduct>) {
    this.#products = products;
  }

  /** Checks the waiver form, if any, in the body of a booking or of one of its unit items (`place`). */
  check({ productId }: OctoBooking, place: string | undefined, body: object): void {
    const { waiverId, waiverFieldValues, waiverFile } = Object(body);
    if (waiverId === undefined && waiverFile !== undefined)
      throw new OctoRefusal('INVALID_WAIVER_ID', 'waiverFile belongs to a waiver');
    if (waiverId === undefined) return;
    const product = this.#products.get(productId);
    if (product?.waiverPer === 'BOOKING' && place !== undefined) {
      throw new OctoRefusal('WAIVER_ON_BOOKING_ONLY', 'the waiver belongs to the booking');
    }
    if (product?.waiverPer === 'UNIT' && place === undefined) {
      throw new OctoRefusal('WAIVER_ON_TICKET_ONLY', 'the waiver belongs to the unit items');
    }
    if (!product?.waivers?.some(({ id }) => id === waiverId)) {
      throw new OctoRefusal('INVALID_WAIVER_ID', 'the product has no such waiver', { waiverId });
    }
    answersOf(waiverFieldValues);
    if (waiverFile !== undefined) fileOf(waiverFile);
  }

  /**
   * Stores a waiver form that passed the check. A unit item sent without a form loses the form it had; a form sent
   * again without its file loses the file.
   */
  take({ uuid }: OctoBooking, place: string | undefined, body: object): void {
    const { waiverId, waiverFieldValues, waiverFile } = Object(body);
    const key = `${uuid}/${place ?? ''}`;
    const pdf = waiverFile === undefined ? undefined : fileOf(waiverFile);
    if (waiverId !== undefined) this.#filled.set(key, { answers: answersOf(waiverFieldValues), file: pdf });
    else if (place !== undefined) this.#filled.delete(key);
  }

  /** Adds the capability's fields to a booking. */
  show(booking: OctoBooking): OctoBooking {
    const unitItems = booking.unitItems.map((item) => ({
      ...item,
      waiversComplete: this.#isComplete(booking, item.uuid),
      ...this.#fileUrl(booking, item.uuid),
    }));
    const isPerUnit = this.#products.get(booking.productId)?.waiverPer === 'UNIT';
    const isComplete = isPerUnit
      ? unitItems.every(({ waiversComplete }) => waiversComplete)
      : this.#isComplete(booking, '');
    return { ...booking, unitItems, waiversComplete: isComplete, ...this.#fileUrl(booking, '') };
  }

  /** The file of the form of a booking, or of one of its unit items. */
  fileOf(uuid: string, place = ''): Buffer | undefined {
    return this.#filled.get(`${uuid}/${place}`)?.file;
  }

  #fileUrl({ uuid }: OctoBooking, place: string) {
    const hasFile = this.fileOf(uuid, place) !== undefined;
    return { waiverFileUrl: hasFile ? `https://files.example/waivers/${uuid}/${place}.pdf` : null };
  }

  #isComplete({ uuid, productId }: OctoBooking, place: string): boolean {
    const answers = this.#filled.get(`${uuid}/${place}`)?.answers;
    const fields = this.#products.get(productId)?.waivers?.[0]?.fields ?? [];
    return fields.every(({ id, required }) => !required || answers?.has(id));
  }
}

import { createHash, randomUUID } from 'node:crypto';
import { saltedEntry, sealRecord } from '@waiver-service/evidence';
import type { SigningStore } from '../data/signing-store.ts';
import type { NewSigning } from '../data/store-signing.ts';

/** A published form of the pool `p1`. @returns its id */
export async function publishForm(store: SigningStore): Promise<string> {
  const { id } = await store.forms.create('p1', 'Waiver');
  await store.forms.putDraft('p1', id, '{}');
  await store.forms.publish('p1', id, {
    draft: '{}',
    content: '{}',
    hash: 'ab'.repeat(32),
    publishedBy: 'Ada',
  });
  return id;
}

/** A guest of a signing. */
export interface SigningGuest {
  readonly name: string;
  readonly bookingGuestId?: string;
  /** A health answer, and how long it is kept. */
  readonly health?: string;
}

/** A sealed signing of some guests, of whom the first one signs. */
export function newSigning(
  form: string,
  guests: readonly SigningGuest[],
  given: Partial<NewSigning> = {},
): NewSigning {
  const id = given.id ?? randomUUID();
  const people = guests.map((guest, index) => ({
    guest: index,
    ...saltedEntry({ waiver: `${id}-${index + 1}`, answers: { name: guest.name } }),
  }));
  const signer = { guest: null, ...saltedEntry({ takesPart: true }) };
  const ink = { guest: null, ...saltedEntry({ name: guests[0]?.name ?? '' }) };
  const health = guests.flatMap(({ health: answer }, guest) =>
    answer === undefined ? [] : [{ guest, ...saltedEntry(answer) }],
  );
  const photo = { id: 'photo-1', guest: 0, item: 'photo', type: 'image/jpeg', data: Buffer.from('a photo') };
  const photoHash = createHash('sha256').update(photo.data).digest('hex');
  const record = sealRecord({
    core: { kind: 'signing', signing: id },
    person: { guests: people.map(({ hash }) => ({ hash })), signer: { hash: signer.hash } },
    sensitive: { shown: null, health: health.map(({ guest, hash }) => ({ guest, item: 'asthma', hash })) },
    ink: {
      acts: [{ act: 0, hash: ink.hash }],
      photos: [{ id: photo.id, item: photo.item, guest: 0, type: photo.type, hash: photoHash }],
    },
    trace: { address: '192.0.2.1', userAgent: null, pages: [] },
  });
  const entry =
    (part: 'person' | 'sensitive' | 'ink') => (each: (typeof people)[number] | typeof signer) => ({
      ...each,
      part,
      eraseAt: null,
    });
  return {
    pool: 'p1',
    id,
    link: 'l1',
    form,
    formVersion: 1,
    language: 'en',
    contentHash: 'cd'.repeat(32),
    receivedAt: new Date(),
    signerTakesPart: true,
    flags: [{ guest: 0, item: 'swimming', label: 'Cannot swim' }],
    waivers: guests.map(({ name, bookingGuestId }) => ({
      bookingSystem: 'standard',
      bookingId: 'b1',
      bookingGuestId: bookingGuestId ?? null,
      answers: { name },
    })),
    by: { id: 'check-in-link:l1', name: null },
    ...record,
    entries: [
      ...[...people, signer].map(entry('person')),
      ...health.map(entry('sensitive')),
      entry('ink')(ink),
    ],
    photos: [{ ...photo, hash: photoHash }],
    ...given,
  };
}

/**
 * A pool `p1` with a form and a link, where guests sign and confirm what they signed.
 * @param email - of the guest, where nothing else is said
 */
export async function prepareReturningGuest(store: SigningStore, email: string) {
  const form = await publishForm(store);
  const { link } = await store.checkInLinks.create('p1', {
    bookingSystem: null,
    bookingId: null,
    bookingGuestId: null,
    expiresAt: new Date(Date.now() + 3_600_000),
    createdBy: 'test',
  });
  /** Signs, or confirms what was signed. */
  const sign = async (
    given: { reuseOf?: string; waiverId?: string; daysAgo?: number; address?: string } = {},
  ) => {
    const { reuseOf, waiverId, daysAgo = 0, address = email } = given;
    const signing = newSigning(form, [{ name: 'Ann' }], {
      waivers: [
        {
          answers: { name: 'Ann', email: address },
          validUntil: '2099-12-31',
          reuseOf: waiverId ?? null,
          lastVisit: new Date(Date.now() - daysAgo * 86_400_000),
        },
      ],
      reuseOf,
    });
    return { signing: signing.id, waiver: `${signing.id}-1`, result: await store.signings.store(signing) };
  };
  return { form, guest: { pool: 'p1', link: link.id, email }, sign };
}

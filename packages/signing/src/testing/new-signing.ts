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

import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import {
  type ChainEntry,
  type EvidenceFile,
  type EvidenceRecord,
  evidenceFormat,
  firstHead,
  type GuestEntry,
  type InkEntry,
  type LaterCore,
  nextHead,
  publicKeyText,
  type SaltedEntry,
  type SealedRecord,
  type SignerEntry,
  type SigningRecord,
  saltedEntry,
  sealRecord,
  signHead,
} from '../src/index.ts';

/** A key that every run has, so that a property that fails fails again. */
export const keyOf = (seed: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      createHash('sha256').update(seed).digest(),
    ]),
    format: 'der',
    type: 'pkcs8',
  });

/** Salts that are the same in each run. */
export function countedSalts(name: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return createHash('sha256').update(`${name} ${count}`).digest('hex');
  };
}

const salt = countedSalts('answers');
export const asthma = saltedEntry('yes', salt);
export const guest = saltedEntry(
  { waiver: 'w1', bookingGuestId: 'G-1', answers: { name: 'Zoë Bäcker' } } satisfies GuestEntry,
  salt,
);
export const signer = saltedEntry({ takesPart: true } satisfies SignerEntry, salt);
export const written = saltedEntry({ name: 'Zoë Bäcker' } satisfies InkEntry, salt);
export const entries = [guest, signer, asthma, written];
export const photo = { id: 'p1', data: 'iVBORw0KGgo=' };
const photoHash = createHash('sha256').update(Buffer.from(photo.data, 'base64')).digest('hex');

export const signing: SigningRecord<{ title: string }> = {
  core: {
    kind: 'signing',
    signing: '6f6c1c0e-1b1c-4b0e-9e5e-0a7a0f9a2b11',
    form: { id: 'rafting', name: 'Rafting', version: 3, hash: 'ab'.repeat(32) },
    language: 'de',
    shown: [{ title: 'Haftung' }],
    acts: [{ item: 'sign', guest: 0, act: 'sign', method: 'type', at: '2026-11-24T09:59:58.000Z' }],
    booking: { bookingSystem: 'standard', id: 'BK-1001' },
    day: { date: '2026-11-24', timeZone: 'Europe/Vienna', activities: ['rafting'] },
    link: { kind: 'guest' },
    times: {
      openedAt: '2026-11-24T09:58:00.000Z',
      signedAt: '2026-11-24T09:59:59.000Z',
      receivedAt: '2026-11-24T10:00:00.000Z',
    },
  },
  person: { guests: [{ hash: guest.hash }], signer: { hash: signer.hash } },
  sensitive: { shown: null, health: [{ guest: 0, item: 'asthma', hash: asthma.hash }] },
  ink: {
    acts: [{ act: 0, hash: written.hash }],
    photos: [{ id: 'p1', type: 'image/png', hash: photoHash, guest: 0, item: 'face' }],
  },
  trace: { address: '192.0.2.7', userAgent: 'Test', pages: [] },
};

export const record = sealRecord(signing, countedSalts('record'));

export function laterRecord(core: LaterCore): SealedRecord {
  return sealRecord(
    { core, person: null, sensitive: null, ink: null, trace: null },
    countedSalts(`${core.kind} ${core.at}`),
  );
}

export interface Batch {
  readonly leaves: readonly string[];
  readonly at: string;
}

export const foreignLeaf = (name: string) => createHash('sha256').update(name).digest('hex');

/** What was sealed together, two seconds after the signing. */
export const batchOf = (...leaves: readonly string[]): Batch => ({ leaves, at: '2026-11-24T10:00:02.000Z' });

/** The signing, and what others sealed beside it. */
export const firstBatch = batchOf(foreignLeaf('one'), record.leaf, foreignLeaf('three'));

/** The chain of a pool, batch by batch. */
export function chainOf(pool: string, batches: readonly Batch[], key: KeyObject): readonly ChainEntry[] {
  let head = firstHead(pool);
  return batches.flatMap(({ leaves, at }) =>
    leaves.map((leaf, index) => {
      const former = head.head;
      head = nextHead(head, leaf);
      const isLast = index === leaves.length - 1;
      return {
        ...head,
        former,
        leaf,
        ...(isLast ? { signed: signHead(pool, head, new Date(at), key) } : {}),
      };
    }),
  );
}

interface Content {
  readonly later: readonly SealedRecord[];
  readonly entries: readonly SaltedEntry[];
  readonly photos: EvidenceRecord['photos'];
  readonly batches: readonly Batch[];
  readonly key: KeyObject;
}

/** The signing is number 2 of 3 in the first batch; later records follow in a second one. */
export function evidenceFile(content: Partial<Content> = {}): EvidenceFile {
  const { later = [], photos = [photo], key = keyOf('rafting') } = content;
  const batches = content.batches ?? [
    firstBatch,
    { leaves: later.map(({ leaf }) => leaf), at: '2026-11-25T08:00:00.000Z' },
  ];
  return {
    format: evidenceFormat,
    pool: 'rafting',
    publicKey: publicKeyText(key),
    record: { ...record, entries: content.entries ?? entries, photos },
    later: later.map((one) => ({ ...one, entries: [], photos: [] })),
    chain: chainOf('rafting', batches, key),
  };
}

import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type EvidenceFile,
  type EvidenceRecord,
  type LaterCore,
  partNames,
  type SealedRecord,
  saltedEntry,
  sealRecord,
  signHead,
  verifyEvidence,
} from '../src/index.ts';
import {
  asthma,
  batchOf,
  chainOf,
  countedSalts,
  entries,
  evidenceFile,
  firstBatch,
  foreignLeaf,
  guest,
  keyOf,
  laterRecord,
  photo,
  record,
  signer,
  signing,
  written,
} from './sample-file.ts';

const verify = (file: unknown, fingerprint?: string) => verifyEvidence(JSON.stringify(file), fingerprint);
const said = (file: unknown, status: string, fingerprint?: string) =>
  verify(file, fingerprint)
    .filter((finding) => finding.status === status)
    .map(({ sentence }) => sentence);

const changesIn = (file: unknown, fingerprint?: string) => said(file, 'changed', fingerprint);
/** A file whose signing has something else. */
const ofSigning = (change: object, file = evidenceFile()) => ({
  ...file,
  record: { ...file.record, ...change },
});
const withoutPart = (sealed: EvidenceRecord, name: string): EvidenceRecord => ({
  ...sealed,
  parts: sealed.parts.map((part) => (part.name === name ? { name, hash: part.hash } : part)),
});
/** A file without a part of the signing. */
const lacking = (name: string, file = evidenceFile()): EvidenceFile => ({
  ...file,
  record: withoutPart(file.record, name),
});
/** A file whose heads say another time. */
const signedAt = (at: string) => {
  const file = evidenceFile();
  const chain = file.chain.map((one) => (one.signed ? { ...one, signed: { ...one.signed, at } } : one));
  return { ...file, chain };
};
const asSealed = 'The signing: what is in this file of it is as it was sealed.';
const notSealed = (what: string) => `The signing: ${what} is not what was sealed.`;
const leftOut = (what: string) => `The signing: ${what} was left out of this file; no erasure is known.`;
const erasedAt = '2026-11-25T07:59:59.000Z';
const wasErased = (what: string) => `The signing: ${what} was erased at ${erasedAt}; the rest verifies.`;
const notInChain = 'The signing is not in the chain: it was dropped or swapped.';
const isDropped = (before: number) => `Before number ${before} of the chain, entries were dropped.`;
const otherSignature =
  'Number 3 of the chain: its signature is not of this key, pool, number, head and time.';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const fingerprint = createHash('sha256')
  .update(createPublicKey(keyOf('rafting')).export({ type: 'spki', format: 'der' }))
  .digest('hex');
const fullKey = evidenceFile().publicKey;

type Erasure = Extract<LaterCore, { kind: 'erasure' }>;

describe('a file that nobody changed', () => {
  it('is as it was sealed, and in its place of the chain', () => {
    expect(changesIn(evidenceFile())).toEqual([]);
    expect(said(evidenceFile(), 'erased')).toEqual([]);
    expect(said(evidenceFile(), 'proven')).toEqual([
      asSealed,
      'The signing is number 2 in the chain of "rafting", signed at 2026-11-24T10:00:02.000Z.',
    ]);
  });

  it('says what is not proven', () => {
    expect(said(evidenceFile(), 'not-proven')).toEqual([
      'When it was: without a stamp from outside, only the operator vouches for it.',
      `Whose key it is. Ask the operator: is it ${fingerprint}?`,
      "Who held the device, and its clock: the times of the guest's acts are the device's.",
      'Whether it was voided, corrected or erased since. Ask for a newer file.',
    ]);
  });

  it('may have what was shown because of a health answer, as an entry', () => {
    const shown = saltedEntry({ shown: [{ title: 'Asthma' }], acts: [] });
    const sealed = sealRecord({ ...signing, sensitive: { shown: { hash: shown.hash }, health: [] } });
    const file = evidenceFile({ batches: [batchOf(sealed.leaf)] });
    const withEntries = (...all: typeof entries) =>
      ofSigning({ ...sealed, entries: all, photos: [photo] }, file);
    expect(changesIn(withEntries(guest, signer, written, shown))).toEqual([]);
    expect(said(withEntries(guest, signer, written), 'not-proven')).toContain(leftOut('shown 1'));
  });

  it('may be laid out otherwise, and have its members in another order', () => {
    const reversed = Object.fromEntries(Object.entries(evidenceFile()).toReversed());
    expect(verifyEvidence(JSON.stringify(reversed, null, 2))).toEqual(verify(evidenceFile()));
  });

  it('is not in the chain within the first seconds', () => {
    const file = { ...evidenceFile(), chain: [] };
    expect(changesIn(file)).toEqual([]);
    expect(said(file, 'not-proven')).toContain('The signing is not in the chain yet: ask for a newer file.');
  });
});

describe('one byte', () => {
  const smallPhoto = { id: 'p', data: Buffer.from('!').toString('base64') };
  const small = sealRecord(
    {
      core: {},
      person: { name: 'Zoë' },
      sensitive: { health: [{ hash: asthma.hash }] },
      ink: { photos: [{ id: 'p', hash: sha256('!') }] },
      trace: null,
    },
    countedSalts('small'),
  );
  const { format, publicKey, pool } = evidenceFile();
  const batches = [batchOf(small.leaf)];
  const file = {
    ...{ format, pool, publicKey, later: [] },
    record: withoutPart({ ...small, entries: [asthma], photos: [smallPhoto] }, 'trace'),
    chain: chainOf(pool, batches, keyOf('rafting')),
  };
  const bytes = Buffer.from(JSON.stringify(file));
  const isNoticed = (altered: Buffer) =>
    verifyEvidence(altered.toString()).some(({ status }) => status === 'changed');
  // Every byte in the long form.
  const step = process.env.WAIVER_SERVICE_FAULTS === 'long' ? 1 : 4;
  const places = [...bytes.keys()].filter((index) => index % step === 0);

  it('is noticed wherever it is another', () => {
    expect(isNoticed(bytes)).toBe(false);
    const unnoticed = places.filter((index) => {
      const altered = Buffer.from(bytes);
      // Another letter; of a letter, the other case.
      const bit = /[a-z]/i.test(String.fromCharCode(bytes.readUInt8(index))) ? 32 : 1;
      altered.writeUInt8(bytes.readUInt8(index) ^ bit, index);
      return !isNoticed(altered);
    });
    expect(unnoticed).toEqual([]);
  });

  it('is noticed wherever it is missing', () => {
    const unnoticed = places.filter(
      (index) => !isNoticed(Buffer.concat([bytes.subarray(0, index), bytes.subarray(index + 1)])),
    );
    expect(unnoticed).toEqual([]);
  });
});

describe('a record that was changed', () => {
  it.each(['core', 'person', 'sensitive', 'ink', 'trace'])('names the part %s', (name) => {
    const file = evidenceFile();
    const parts = file.record.parts.map((part) =>
      part.name === name && 'text' in part ? { ...part, text: `${part.text} ` } : part,
    );
    const changed = ofSigning({ parts });
    expect(changesIn(changed)).toContain(notSealed(`part ${name}`));
    expect(said(changed, 'proven')).not.toContain(asSealed);
  });

  it('does not pass with hashes to match', () => {
    const forged = sealRecord({ ...signing, trace: null }, countedSalts('record'));
    expect(changesIn(ofSigning(forged))).toEqual([notInChain]);
    expect(changesIn(ofSigning({ parts: forged.parts }))).toEqual(['The signing: its leaf is wrong.']);
  });

  it('needs all five parts, in order', () => {
    expect(changesIn(ofSigning({ parts: record.parts.toReversed() }))).toContain(
      'The signing: parts are not core, person, sensitive, ink, trace.',
    );
  });

  it.each(['salt', 'text'])('has no half of a part: without its %s', (member) => {
    const parts = record.parts.map(({ name, hash, ...part }) => ({
      name,
      hash,
      ...Object.fromEntries(Object.entries(part).filter(([key]) => name !== 'ink' || key !== member)),
    }));
    expect(changesIn(ofSigning({ parts }))).toContain(notSealed('part ink'));
  });

  const more = saltedEntry('more');
  it.each<[string, Parameters<typeof evidenceFile>[0], string]>([
    [
      'other health answer',
      { entries: [guest, signer, { ...asthma, text: '"no"' }, written] },
      'health asthma',
    ],
    ['other guest', { entries: [{ ...guest, salt: asthma.salt }, ...entries.slice(1)] }, 'guests 1'],
    ['other photo', { photos: [{ ...photo, data: 'iVBORw0KGgs=' }] }, 'photos face'],
    ['entry beside it', { entries: [...entries, more] }, `entry or photo ${more.hash}`],
    ['photo beside it', { photos: [photo, { ...photo, id: 'p2' }] }, 'entry or photo p2'],
  ])('has no %s', (_, content, what) => {
    expect(changesIn(evidenceFile(content))).toEqual([notSealed(what)]);
  });
});

describe('a chain that was changed', () => {
  const changedBy = (change: (chain: EvidenceFile['chain']) => readonly unknown[]) => {
    const file = evidenceFile({
      batches: [
        firstBatch,
        { leaves: [foreignLeaf('four'), foreignLeaf('five')], at: '2026-11-24T10:00:07.000Z' },
      ],
    });
    return changesIn({ ...file, chain: change(file.chain) });
  };
  const endDropped = 'The end of the chain was dropped.';

  it.each<[string, (chain: EvidenceFile['chain']) => readonly unknown[], readonly string[]]>([
    ['may begin at a batch', (chain) => chain.slice(1, 3), []],
    ['may end with a batch', (chain) => chain.slice(0, 3), []],
    ['names the record', (chain) => chain.toSpliced(1, 1), [notInChain, isDropped(3)]],
    ['may begin inside of a batch of others', (chain) => chain.toSpliced(3, 1), []],
    ['names where another was dropped', (chain) => chain.toSpliced(2, 1), [isDropped(4)]],
    ['names the end', (chain) => chain.slice(0, 4), [endDropped]],
    ['names the record and the end', (chain) => chain.slice(0, 2), [notInChain, endDropped]],
  ])('from which entries were dropped %s', (_, change, findings) => {
    expect(changedBy(change)).toEqual(findings);
  });

  it('names entries that were swapped', () => {
    expect(changedBy(([one, two, ...rest]) => [two, one, ...rest])).toContain(
      'Number 1 of the chain was swapped, or repeated.',
    );
    expect(changedBy((chain) => [...chain, ...chain.slice(4)])).toEqual([
      'Number 5 of the chain was swapped, or repeated.',
    ]);
  });

  it('names entries whose leaves were swapped', () => {
    expect(
      changedBy(([one, two, ...rest]) => [{ ...one, leaf: two?.leaf }, { ...two, leaf: one?.leaf }, ...rest]),
    ).toEqual(['Number 1 of the chain was changed.', 'Number 2 of the chain was changed.']);
  });

  it('does not pass when all heads after a change are made again', () => {
    const forged = chainOf(
      'rafting',
      [batchOf(foreignLeaf('zero'), record.leaf, foreignLeaf('three'))],
      keyOf('rafting'),
    ).map(({ signed: _, ...entry }) => entry);
    expect(
      changedBy((chain) => [
        ...forged.slice(0, 2),
        { ...forged[2], signed: chain[2]?.signed },
        ...chain.slice(3),
      ]),
    ).toEqual([
      otherSignature,
      'Number 4 of the chain does not follow the one before it: one of them was changed.',
    ]);
  });

  it('does not begin with the chain of another pool', () => {
    expect(changesIn({ ...evidenceFile(), pool: 'karting' })).toEqual([
      'Number 1 of the chain is of another pool.',
      otherSignature,
    ]);
  });
});

describe('time', () => {
  const sealedAt = (...at: readonly string[]) =>
    evidenceFile({
      batches: at.map((time, index) => ({
        leaves: index === at.length - 1 ? [record.leaf] : [foreignLeaf(String(index))],
        at: time,
      })),
    });

  it('of a head that was signed cannot be changed', () => {
    expect(changesIn(signedAt('2026-11-24T10:00:01.000Z'))).toEqual([otherSignature]);
  });

  it.each([
    [
      ['2026-11-24T10:02:00.000Z', '2026-11-24T10:00:59.000Z'],
      ['Number 2 of the chain was backdated to 2026-11-24T10:00:59.000Z.'],
    ],
    [['2026-11-24T10:02:00.000Z', '2026-11-24T10:01:00.000Z'], []],
    [['2026-11-24T09:58:59.000Z'], ['The signing says 2026-11-24T10:00:00.000Z, but was sealed before.']],
    [['2026-11-24T09:59:00.000Z'], []],
  ])(
    'of a head is before that of an earlier head, or of its record, by the difference of two clocks at most: %j',
    (times, findings) => {
      expect(changesIn(sealedAt(...times))).toEqual(findings);
    },
  );

  it('of a record long before its head is no proof', () => {
    const backdated = 'The signing says 2026-11-24T10:00:00.000Z. Was it backdated?';
    expect(said(sealedAt('2026-11-24T11:00:01.000Z'), 'not-proven')).toContain(backdated);
    expect(said(sealedAt('2026-11-24T11:00:00.000Z'), 'not-proven')).not.toContain(backdated);
  });
});

/** What was erased of a record. */
const erasure = (erased: Partial<Pick<Erasure, 'parts' | 'entries' | 'photos'>>, of = record.leaf) =>
  laterRecord({ kind: 'erasure', of, at: erasedAt, parts: [], entries: [], photos: [], ...erased });
const corrected = laterRecord({
  ...{ kind: 'correction', of: record.leaf, at: '2026-11-25T07:59:58.000Z' },
  ...{ waivers: ['w1'], by: null, changed: ['name'] },
});

describe('erasure', () => {
  const hashes = entries.map(({ hash }) => hash);

  it.each(partNames)('of the part %s is told, and the rest verifies', (name) => {
    const later = [erasure({ parts: [name], entries: hashes, photos: ['p1'] })];
    const erased = lacking(name, evidenceFile({ later, entries: [], photos: [] }));
    expect(changesIn(erased)).toEqual([]);
    expect(said(erased, 'erased')).toContain(wasErased(`part ${name}`));
    expect(said(erased, 'proven')).toContain(asSealed);
  });

  it.each([
    ['a guest', 'guests 1', guest],
    ['the signer', 'signer 1', signer],
    ['a health answer', 'health asthma', asthma],
    ['a signature', 'acts 1', written],
  ])('of %s leaves the others', (_, label, entry) => {
    const file = evidenceFile({
      later: [erasure({ entries: [entry.hash] })],
      entries: entries.filter((one) => one !== entry),
    });
    expect(said(file, 'erased')).toEqual([wasErased(label)]);
    expect(changesIn(file)).toEqual([]);
  });

  it('of a photo is told', () => {
    const later = [erasure({ photos: ['p1'] })];
    expect(said(evidenceFile({ later, photos: [] }), 'erased')).toEqual([wasErased('photos face')]);
  });

  const ofOther = erasure({ parts: [...partNames], entries: hashes, photos: [photo.id] }, corrected.leaf);
  it.each([
    ['that nothing tells of is', []],
    ['of another record excuses none of', [corrected, ofOther]],
  ])('%s what the giver of the file left out', (_, later) => {
    const reduced = lacking('trace', evidenceFile({ later, entries: [], photos: [] }));
    expect(changesIn(reduced)).toEqual([]);
    expect(said(reduced, 'erased')).toEqual([]);
    expect(said(reduced, 'not-proven')).toEqual(
      expect.arrayContaining([leftOut('part trace'), leftOut('photos face')]),
    );
  });

  it('of a later record is the only reason why nobody knows what that was about', () => {
    const unknown = 'The later record: what it is about. It may be about another signing.';
    const withoutCore = (file: EvidenceFile) => ({
      ...file,
      later: file.later.map((one) => (one.leaf === corrected.leaf ? withoutPart(one, 'core') : one)),
    });
    expect(said(withoutCore(evidenceFile({ later: [corrected] })), 'not-proven')).toContain(unknown);
    const later = [corrected, erasure({ parts: ['core'] }, corrected.leaf)];
    const reduced = withoutCore(evidenceFile({ later }));
    expect(said(reduced, 'not-proven')).not.toContain(unknown);
    expect(said(reduced, 'erased')).toContain(
      `The later record: part core was erased at ${erasedAt}; the rest verifies.`,
    );
  });
});

describe('later records', () => {
  const voided = laterRecord({
    kind: 'void',
    of: record.leaf,
    at: '2026-11-25T07:59:58.000Z',
    waivers: ['w1'],
    by: 'admin-token',
    changed: ['deleted'],
  });

  const misplaced = 'The void 2026-11-25T07:59:58.000Z is about another signing, or was moved before it.';

  it('tell of a void and a correction', () => {
    const file = evidenceFile({ later: [voided, corrected] });
    expect(changesIn(file)).toEqual([]);
    expect(said(file, 'proven').filter((sentence) => sentence.includes('is number'))).toEqual([
      'The signing is number 2 in the chain of "rafting", signed at 2026-11-24T10:00:02.000Z.',
      'The void 2026-11-25T07:59:58.000Z is number 4 in the chain of "rafting", signed at 2026-11-25T08:00:00.000Z.',
      'The correction 2026-11-25T07:59:58.000Z is number 5 in the chain of "rafting", signed at 2026-11-25T08:00:00.000Z.',
    ]);
  });

  it('are about this signing', () => {
    const other = laterRecord({
      ...{ kind: 'void', waivers: [], by: 'x', changed: [], at: '2026-11-25T07:59:58.000Z' },
      of: foreignLeaf('x'),
    });
    expect(changesIn(evidenceFile({ later: [other] }))).toEqual([misplaced]);
  });

  it('do not claim a time after their head', () => {
    const batches = [batchOf(record.leaf, voided.leaf)];
    expect(changesIn(evidenceFile({ later: [voided], batches }))).toEqual([
      'The void 2026-11-25T07:59:58.000Z says 2026-11-25T07:59:58.000Z, but was sealed before.',
    ]);
  });

  it('may be about the first entry of the chain', () => {
    const batches = [batchOf(record.leaf), { leaves: [voided.leaf], at: '2026-11-25T08:00:00.000Z' }];
    expect(changesIn(evidenceFile({ later: [voided], batches }))).toEqual([]);
  });

  it('come after it', () => {
    const batches = [{ leaves: [voided.leaf, record.leaf], at: '2026-11-25T08:00:00.000Z' }];
    expect(changesIn(evidenceFile({ later: [voided], batches }))).toEqual([misplaced]);
  });

  it('are still in the chain when their core is not in the file', () => {
    const file = evidenceFile({ later: [voided] });
    const reduced = { ...file, later: file.later.map((one) => withoutPart(one, 'core')) };
    expect(changesIn(reduced)).toEqual([]);
    expect(said(reduced, 'not-proven')).toContain(
      'The later record: part core was left out of this file; no erasure is known.',
    );
  });
});

describe('key', () => {
  it('that is expected', () => {
    expect(said(evidenceFile(), 'proven', fingerprint)).toContain(
      `The key is the expected one, ${fingerprint}.`,
    );
    expect(said(evidenceFile(), 'not-proven', fingerprint).join()).not.toContain('Whose key');
  });

  it('of someone else who made the whole file', () => {
    const forged = evidenceFile({ key: keyOf('forger') });
    expect(changesIn(forged)).toEqual([]);
    expect(changesIn(forged, fingerprint)).toEqual([
      expect.stringMatching(/^The key is not the expected one, but [0-9a-f]{64}\.$/),
    ]);
  });

  it.each([
    evidenceFile({ key: keyOf('forger') }).publicKey,
    fullKey.trim(),
    fullKey.replaceAll('\n', '\r\n'),
    '',
  ])('that was exchanged: %j', (publicKey) => {
    expect(changesIn({ ...evidenceFile(), publicKey })).not.toEqual([]);
  });

  it.each([
    ['ed448', generateKeyPairSync('ed448')],
    ['rsa', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ec', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
  ])('of another kind is named: %s', (type, { publicKey, privateKey }) => {
    const pem = publicKey.export({ type: 'spki', format: 'pem' });
    const { chain, ...file } = evidenceFile();
    const signed = chain.map((entry) =>
      entry.signed
        ? { ...entry, signed: signHead('rafting', entry, new Date(entry.signed.at), privateKey) }
        : entry,
    );
    expect(changesIn({ ...file, chain: signed, publicKey: pem })).toEqual([
      `The key is no Ed25519 key, but ${type}: no pool has one.`,
    ]);
  });

  it('that is none', () => {
    expect(changesIn({ ...evidenceFile(), publicKey: 'x' }, fingerprint)).toEqual([
      otherSignature,
      'The key was changed.',
      'The key is not the expected one, but none.',
    ]);
  });
});

describe('no evidence file', () => {
  const refusal = [
    'This is no waiver-evidence/1 file: a member is missing, unknown, of another type, or stands twice.',
  ];

  it.each(['', 'null', '[]', '1', '"x"', '{}', '{'])('%j', (json) => {
    expect(verifyEvidence(json).map(({ sentence }) => sentence)).toEqual(refusal);
  });

  it.each([
    ['another format', { format: 'waiver-evidence/2' }],
    ['an unknown member', { note: 'see below' }],
    ['a member of another type', { pool: 7 }],
    ['no record', { record: null }],
    ['a list for a record', { record: [] }],
    ['an object for a list', { later: {} }],
    ['null for an optional member', { stamp: null }],
    ['text for a number', { chain: [{ ...evidenceFile().chain[0], sequence: '1' }] }],
    [
      'an unknown member of a part',
      { record: { ...record, entries: [], photos: [], parts: [{ ...record.parts[0], x: 1 }] } },
    ],
    ['no leaf', { record: { parts: record.parts, entries: [], photos: [] } }],
  ])('%s', (_, change) => {
    expect(changesIn({ ...evidenceFile(), ...change })).toEqual(refusal);
  });
});

describe('what is left out', () => {
  const bare = (later: SealedRecord) =>
    lacking('trace', evidenceFile({ later: [later], entries: [], photos: [] }));
  const core = { kind: 'erasure', of: record.leaf, at: erasedAt };
  const names = ['trace', photo.id, ...entries.map(({ hash }) => hash)];

  it.each([
    ['parts', 1],
    ['entries', entries.length],
    ['photos', 1],
  ] as const)('is erased only by its own kind: %s', (kind, count) => {
    const file = bare(sealedLike({ ...core, parts: [], entries: [], photos: [], [kind]: names }));
    expect(changesIn(file)).toEqual([]);
    expect(said(file, 'erased')).toHaveLength(count);
    expect(said(file, 'not-proven').filter((sentence) => sentence.includes('was left out'))).toHaveLength(
      names.length - count,
    );
  });

  it('is not erased by a record that is no erasure', () => {
    const voided = sealedLike({ ...core, kind: 'void', parts: names, entries: names, photos: names });
    expect(said(bare(voided), 'erased')).toEqual([]);
  });

  it('is not there because something of another kind has its name', () => {
    const ink = { acts: [], photos: [{ id: 'trace', item: 'face', hash: sha256('!') }] };
    const sealed = sealRecord({ ...signing, ink });
    const photos = [{ id: 'trace', data: Buffer.from('!').toString('base64') }];
    const file = ofSigning({ ...sealed, photos }, evidenceFile({ batches: [batchOf(sealed.leaf)] }));
    expect(said(lacking('trace', file), 'not-proven')).toContain(leftOut('part trace'));
  });
});

/** A file whose signing has an entry with a text, or another core, sealed as it is. */
function sealedWith(texts: { readonly entry?: string; readonly core?: string }) {
  const hashOf = (...lines: readonly unknown[]) => sha256(`waiver-evidence/1 ${lines.join('\n')}`);
  const text = texts.entry ?? guest.text;
  const entry = { hash: hashOf('entry', guest.salt, text), salt: guest.salt, text };
  const person = { ...signing.person, guests: [{ hash: entry.hash }] };
  const sealed = sealRecord({ ...signing, person }, countedSalts('sealed with'));
  const parts = sealed.parts.map((part) =>
    part.name === 'core' && texts.core !== undefined
      ? { ...part, text: texts.core, hash: hashOf('part core', part.salt, texts.core) }
      : part,
  );
  const leaf = hashOf('leaf', ...parts.map(({ hash }) => hash));
  return ofSigning(
    { leaf, parts, entries: [entry, ...entries.slice(1)] },
    evidenceFile({ batches: [batchOf(leaf)] }),
  );
}

describe('what was sealed', () => {
  it.each(['{"a":1,"a":2}', '{"a":{"b":1,"b":1}}', '[{"a":"x","\\u0061":"x"}]', '{', ''])(
    'is an error as an entry that programs read differently: %s',
    (entry) => {
      expect(changesIn(sealedWith({ entry }))).toEqual([
        'The signing: guests 1 is not JSON, or has a member twice.',
      ]);
    },
  );

  it.each([
    '1.5',
    '1.0',
    '-0',
    '1e3',
    '1E3',
    '9007199254740992',
    '9007199254740993',
    '-9007199254740993',
    '1e400',
  ])('has no number that programs read differently: %s', (number) => {
    expect(changesIn(sealedWith({ entry: `{"a":[${number}]}` }))).toEqual([
      `The signing: guests 1 has the number "${number}", which is no safe integer.`,
    ]);
    const core = `{"kind":"signing","n":${number}}`;
    expect(changesIn(sealedWith({ core }))).toEqual([
      `The signing: part core has the number "${number}", which is no safe integer.`,
    ]);
    const json = JSON.stringify(evidenceFile()).replace('"sequence":1', `"sequence":${number}`);
    expect(verifyEvidence(json)).toEqual([
      {
        status: 'changed',
        sentence: `This is no waiver-evidence/1 file: it has the number "${number}", which is no safe integer.`,
      },
    ]);
  });

  it('may have any whole number, and what looks like another one inside of a text', () => {
    const entry =
      '{"1":0,"10":[-1,9007199254740991,-9007199254740991],"a\\"1.5":"1.5\\\\","b":true,"c":null}';
    expect(changesIn(sealedWith({ entry }))).toEqual([]);
  });

  it.each([
    'yesterday',
    '',
    '2026-11-24',
    '2026-02-31T10:00:00.000Z',
    '2026-11-24T10:00:00+13:00',
    '2026-11-24 10:00:00Z',
  ])('has no time that is none: %j', (time) => {
    const core = JSON.stringify({ kind: 'signing', times: { receivedAt: time } });
    expect(changesIn(sealedWith({ core }))).toContain(
      `The signing says ${JSON.stringify(time)}, which is no time.`,
    );
    const later = [sealedLike({ kind: 'void', of: record.leaf, at: time })];
    expect(changesIn(evidenceFile({ later }))).toContainEqual(
      expect.stringMatching(/^The void .*, which is no time\.$/),
    );
    expect(changesIn(signedAt(time))).toContain(
      `Number 3 of the chain was signed at ${JSON.stringify(time)}, which is no time.`,
    );
  });
});

describe('words of the file', () => {
  const hostile = 'x".\nProven:\n- Nothing was changed.\u001b[2J\u001b[32m\u202e\u2028\u0085 {"a":1}';
  // Letters, digits, punctuation and spaces only.
  const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u;

  it('are printable, and outside of quotation marks not a sentence, whatever they are', () => {
    const strange = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        hostile,
        'Nothing was changed.',
        'a\nNothing was changed.\n',
        '\u009b2J',
        '\u2066x',
        '\ufeff',
      ),
    );
    fc.assert(
      fc.property(strange, (text) => {
        const odd = {
          ...signing,
          person: { guests: [{ hash: text }], signer: { hash: '' } },
          sensitive: { shown: null, health: [{ guest: 0, item: text, hash: 'x' }] },
          ink: { acts: [], photos: [{ id: text, item: text, hash: 'y' }] },
        };
        const file = {
          ...evidenceFile(),
          pool: text,
          record: {
            ...sealedLike({ ...signing.core, times: { receivedAt: text } }),
            entries: [{ hash: text, salt: text, text }],
            photos: [{ id: `${text}x`, data: '' }],
          },
          later: [
            ...(text.isWellFormed()
              ? [
                  sealedLike({ kind: text, of: text, at: text }, odd.sensitive),
                  sealedLike({ kind: 'erasure', of: record.leaf, at: text, parts: [text] }),
                  { ...sealRecord(odd), entries: [], photos: [] },
                ]
              : []),
            { leaf: text, parts: [{ name: text, hash: text }], entries: [], photos: [] },
          ],
          chain: evidenceFile().chain.map((entry) =>
            entry.signed ? { ...entry, signed: { at: text, signature: text } } : entry,
          ),
          publicKey: text,
          stamp: { sequence: 2, path: [{ left: text }], root: text, token: '' },
        };
        if (!text.isWellFormed())
          file.record = { ...file.record, ...sealedLike({}), entries: [], photos: [] };
        for (const { sentence } of verify(file)) {
          expect(sentence).toMatch(printable);
          const own = sentence.replaceAll(/"(?:[^"\\]|\\.)*"/g, '');
          if (/\S\s+\S/.test(text)) expect(own).not.toContain(text.trim());
        }
      }),
    );
  });

  it('cannot write lines of the report', () => {
    const key = keyOf('rafting');
    const [entry] = chainOf(hostile, [batchOf(record.leaf)], key);
    const named = { ...evidenceFile(), pool: hostile, chain: [entry] };
    const [place] = said(named, 'proven').filter((sentence) => sentence.includes('is number'));
    expect(place).toBe(
      'The signing is number 1 in the chain of "x\\".\\nProven:\\n- Nothing was changed.\\u001b[2J\\u001b[32m\\u{202e}\\u{2028}\\u{85} {\\"a\\":1}", signed at 2026-11-24T10:00:02.000Z.',
    );
    expect(changesIn(named)).toEqual([]);
  });

  it.each([
    [
      'the name of a part',
      (file: EvidenceFile) => ({ record: { ...file.record, parts: [{ name: hostile, hash: '' }] } }),
    ],
    [
      'the id of a photo',
      (file: EvidenceFile) => ({ record: { ...file.record, photos: [{ id: hostile, data: '' }] } }),
    ],
    [
      'the hash of an entry',
      (file: EvidenceFile) => ({
        record: { ...file.record, entries: [{ hash: hostile, salt: hostile, text: hostile }] },
      }),
    ],
    [
      'the time of a head',
      (file: EvidenceFile) => ({
        chain: file.chain.map((one) => ({ ...one, signed: { at: hostile, signature: hostile } })),
      }),
    ],
    [
      'the kind of a later record',
      () => ({ later: [sealedLike({ kind: hostile, at: hostile, of: hostile })] }),
    ],
    [
      'what was erased',
      () => ({ later: [sealedLike({ kind: 'erasure', at: hostile, of: record.leaf, parts: ['trace'] })] }),
    ],
    [
      'an item',
      () => ({
        later: [sealedLike({ kind: 'void', at: '', of: '' }, { health: [{ item: hostile, hash: hostile }] })],
      }),
    ],
    ['the key', () => ({ publicKey: hostile })],
    ['a stamp', () => ({ stamp: { sequence: 2, path: [{ left: hostile }], root: hostile, token: '' } })],
  ])('cannot do it as %s', (_, change) => {
    const file = evidenceFile();
    for (const base of [file, lacking('trace')])
      for (const { sentence } of verify({ ...base, ...change(base) })) expect(sentence).toMatch(printable);
  });

  it('may be of any type: there is a report, whatever they are', () => {
    const odd = { toString: 1, valueOf: [], '\u009b2J': hostile };
    const file = evidenceFile();
    const core = { kind: odd, of: odd, at: odd, item: odd, times: { receivedAt: odd } };
    const sensitive = { shown: odd, health: [{ item: odd, hash: odd }] };
    const erasure = { kind: 'erasure', of: record.leaf, at: odd, parts: [odd, 'trace'], photos: [odd] };
    const reduced = lacking('trace');
    for (const strange of [
      { later: [sealedLike(core, sensitive), sealedLike(erasure)] },
      { record: { ...sealedLike({ ...signing.core, times: odd }), entries: [], photos: [] } },
      { record: { ...file.record, photos: [{ id: 'x', data: odd }] } },
      { stamp: { sequence: 2, path: [], root: '', token: odd } },
    ])
      for (const { sentence } of verify({ ...reduced, ...strange })) expect(sentence).toMatch(printable);
    expect(changesIn({ ...reduced, later: [sealedLike(core)] })).not.toEqual([]);
  });

  it('are no member that stands twice, of which programs keep different ones', () => {
    const json = JSON.stringify(evidenceFile());
    const twice = json.replace('"pool":"rafting"', '"pool":"karting","pool":"rafting"');
    expect(verifyEvidence(json).every(({ status }) => status !== 'changed')).toBe(true);
    for (const one of [twice, twice.replace('"pool":"karting"', '"p\\u006fol":"karting"')])
      expect(verifyEvidence(one)).toEqual([
        { status: 'changed', sentence: expect.stringContaining('or stands twice') },
      ]);
    const core = JSON.stringify(signing.core).replace('"kind":', '"kind":"void","kind":');
    expect(changesIn(sealedWith({ core }))).toContain(
      'The signing: part core is not JSON, or has a member twice.',
    );
  });
});

/** A later record with any content, sealed. */
function sealedLike(core: object, sensitive: object | null = null) {
  return {
    ...sealRecord({ core, person: null, sensitive, ink: null, trace: null }),
    entries: [],
    photos: [],
  };
}

it('a key that the pool does not have yet is said so', () => {
  const file = { ...evidenceFile(), chain: [], publicKey: '' };
  expect(changesIn(file)).toEqual([]);
  expect(said(file, 'not-proven')).toContain(
    'There is no key yet: the pool has sealed nothing before. Ask for a newer file.',
  );
  expect(said(file, 'not-proven').slice(-2)).toEqual([
    "Who held the device, and its clock: the times of the guest's acts are the device's.",
    'Whether it was voided, corrected or erased since. Ask for a newer file.',
  ]);
  expect(changesIn(file, fingerprint)).toEqual(['There is no key yet, so it is not the expected one.']);
  expect(changesIn({ ...evidenceFile(), publicKey: '' })).toContain('The key was changed.');
});

it('a file with ten times as much takes not much more than ten times as long', () => {
  const timeOf = (count: number) => {
    const leaves = Array.from({ length: count }, (_, index) => foreignLeaf(`leaf ${index}`));
    const all = Array.from({ length: count }, (_, index) => saltedEntry(`entry ${index}`));
    const many = sealRecord({
      ...signing,
      ink: { acts: all.map(({ hash }, act) => ({ act, hash })), photos: [] },
    });
    const later = leaves.slice(0, count / 10).map((_, index) =>
      laterRecord({
        ...{ kind: 'void', waivers: [], by: null, changed: [], of: many.leaf },
        at: new Date(Date.parse('2026-11-25T07:00:00Z') + index).toISOString(),
      }),
    );
    const batches = [
      ...leaves.map((leaf) => batchOf(leaf)),
      { leaves: [many.leaf, ...later.map(({ leaf }) => leaf)], at: '2026-11-25T08:00:00.000Z' },
    ];
    const file = evidenceFile({ later, batches });
    const json = JSON.stringify({ ...file, record: { ...many, entries: all, photos: [] } });
    const startedAt = performance.now();
    expect(verifyEvidence(json).some(({ status }) => status === 'changed')).toBe(false);
    return performance.now() - startedAt;
  };
  timeOf(200);
  const [small, large] = [timeOf(400), timeOf(4_000)];
  // Quadratic work would be a hundred times as long.
  expect(large / small).toBeLessThan(40);
});

it('a file with a photo of many megabytes is read', () => {
  const data = Buffer.alloc(15_000_000).toString('base64');
  const file = evidenceFile({ photos: [{ id: 'p1', data }] });
  expect(changesIn(file)).toEqual(['The signing: photos face is not what was sealed.']);
});

import { describe, expect, it } from 'vitest';
import {
  type ConfirmerEntry,
  type EvidenceFile,
  type EvidenceRecord,
  partNames,
  type ReuseGuestEntry,
  type ReuseRecord,
  saltedEntry,
  sealRecord,
  verifyEvidence,
} from '../src/index.ts';
import { countedSalts, evidenceFile, foreignLeaf, laterRecord, record, signing } from './sample-file.ts';

const salt = countedSalts('reuse entries');
const guest = saltedEntry(
  { waiver: 'w2', reuseOf: 'w1', answers: { name: 'Zoë Bäcker' } } satisfies ReuseGuestEntry,
  salt,
);
const confirmer = saltedEntry({ email: 'zoe@example.com' } satisfies ConfirmerEntry, salt);

function reuse(of: string): EvidenceRecord {
  const content: ReuseRecord = {
    core: {
      kind: 'reuse',
      of,
      at: '2026-11-25T07:59:59.000Z',
      reuse: '0f6c1c0e-1b1c-4b0e-9e5e-0a7a0f9a2b11',
      form: { ...signing.core.form, version: 4 },
      signed: { signing: signing.core.signing, version: 3, receivedAt: signing.core.times.receivedAt },
      validUntil: '2027-11-24',
      language: 'de',
      question: { text: 'Stimmt noch alles?', health: null },
      booking: null,
      day: signing.core.day,
      link: { kind: 'guest' },
      proof: 'link',
      times: { openedAt: '2026-11-25T07:59:50.000Z', confirmedAt: '2026-11-25T07:59:58.000Z' },
    },
    person: { guests: [{ hash: guest.hash }], signer: { hash: confirmer.hash } },
    sensitive: null,
    ink: null,
    trace: signing.trace,
  };
  return { ...sealRecord(content, countedSalts(`reuse ${of}`)), entries: [guest, confirmer], photos: [] };
}

const confirmed = reuse(record.leaf);

/** The file of a waiver that was confirmed: the signing, and the confirmation as number 4. */
function reuseFile(
  later: readonly EvidenceRecord[] = [confirmed],
  leaves = later.map(({ leaf }) => leaf),
): EvidenceFile {
  const batches = [
    { leaves: [foreignLeaf('one'), record.leaf, foreignLeaf('three')], at: '2026-11-24T10:00:02.000Z' },
    { leaves, at: '2026-11-25T08:00:00.000Z' },
  ];
  return { ...evidenceFile({ batches }), later };
}

const said = (file: unknown, status: string) =>
  verifyEvidence(JSON.stringify(file))
    .filter((finding) => finding.status === status)
    .map(({ sentence }) => sentence);
const name = 'The reuse 2026-11-25T07:59:59.000Z';

const changed = (change: (record: EvidenceRecord) => Partial<EvidenceRecord>) =>
  reuseFile([{ ...confirmed, ...change(confirmed) }], [confirmed.leaf]);

describe('a confirmation by a returning guest', () => {
  it('is as it was sealed, after the signing that it rests on', () => {
    expect(said(reuseFile(), 'changed')).toEqual([]);
    expect(said(reuseFile(), 'proven').slice(2)).toEqual([
      `${name}: what is in this file of it is as it was sealed.`,
      `${name} is number 4 in the chain of "rafting", signed at 2026-11-25T08:00:00.000Z.`,
    ]);
  });

  it.each(partNames)('whose part %s has another byte is named', (part) => {
    const file = changed(({ parts }) => ({
      parts: parts.map((one) =>
        one.name === part && 'text' in one ? { ...one, text: `${one.text} ` } : one,
      ),
    }));
    expect(said(file, 'changed')).toEqual([`${name}: part ${part} is not what was sealed.`]);
  });

  it.each([
    ['guest', 'guests 1', guest],
    ['person who confirmed', 'signer 1', confirmer],
  ])('whose %s is changed, dropped or swapped is named', (_, label, entry) => {
    const others = confirmed.entries.filter((one) => one !== entry);
    const with_ = (entries: EvidenceRecord['entries']) => changed(() => ({ entries }));
    const text = entry.text.replace('e', 'f');
    expect(said(with_([...others, { ...entry, text }]), 'changed')).not.toEqual([]);
    expect(said(with_(others), 'changed')).toEqual([]);
    expect(said(with_(others), 'not-proven')).toContain(
      `${name}: ${label} was left out of this file; no erasure is known.`,
    );
    const foreign = saltedEntry({ email: 'eve@example.com' }, countedSalts('eve'));
    expect(said(with_([...others, foreign]), 'changed')).toEqual([
      `${name}: entry or photo ${foreign.hash} is not what was sealed.`,
    ]);
  });

  it('that is dropped from the chain, or rests on another signing, is named', () => {
    expect(said(reuseFile([confirmed], [foreignLeaf('other')]), 'changed')).toEqual([
      `${name} is not in the chain: it was dropped or swapped.`,
    ]);
    // Of a signing that is in the chain, but not in this file.
    expect(said(reuseFile([reuse(foreignLeaf('one'))]), 'changed')).toEqual([
      `${name} is about another signing, or was moved before it.`,
    ]);
  });

  it('that was moved before the signing is named', () => {
    const batches = [{ leaves: [confirmed.leaf, record.leaf], at: '2026-11-25T08:00:00.000Z' }];
    const file = { ...evidenceFile({ batches }), later: [confirmed] };
    expect(said(file, 'changed')).toEqual([`${name} is about another signing, or was moved before it.`]);
  });

  it('may be voided and erased itself: what was signed still verifies', () => {
    const at = '2026-11-26T08:00:00.000Z';
    const voided = laterRecord({
      kind: 'void',
      of: confirmed.leaf,
      at,
      waivers: ['w2'],
      by: null,
      changed: [],
    });
    const erased = laterRecord({
      ...{ kind: 'erasure', of: confirmed.leaf, at, parts: ['trace'], photos: [] },
      entries: [guest.hash, confirmer.hash],
    });
    const parts = confirmed.parts.map((part) =>
      part.name === 'trace' ? { name: part.name, hash: part.hash } : part,
    );
    const later = [
      { ...confirmed, parts, entries: [] },
      ...[voided, erased].map((one) => ({ ...one, entries: [], photos: [] })),
    ];
    const batches = [
      { leaves: [record.leaf], at: '2026-11-24T10:00:02.000Z' },
      { leaves: [confirmed.leaf], at: '2026-11-25T08:00:00.000Z' },
      { leaves: [voided.leaf, erased.leaf], at: '2026-11-26T08:00:01.000Z' },
    ];
    const file = { ...evidenceFile({ batches }), later };
    expect(said(file, 'changed')).toEqual([]);
    expect(said(file, 'erased')).toEqual(
      ['part trace', 'guests 1', 'signer 1'].map(
        (part) => `${name}: ${part} was erased at ${at}; the rest verifies.`,
      ),
    );
  });
});

import type { EvidenceFile, EvidenceRecord, PartName } from '@waiver-service/evidence';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { documentPdf } from '../src/documents/document-pdf.ts';
import { signingDocument } from '../src/documents/signing-document.ts';
import { documentWords } from '../src/documents/texts/languages.ts';
import { type Sample, sampleEvidence, samples } from '../src/testing/sample-evidence.ts';

const operator = 'Rafting on the Isar';

const sampleNamed = (name: string): Sample => samples[name] ?? expect.fail(`no sample ${name}`);

/** Replaces the text of a part. */
const withPart = (record: EvidenceRecord, name: PartName, value: object): EvidenceRecord => ({
  ...record,
  parts: record.parts.map((part) =>
    part.name === name ? { ...part, salt: '', text: JSON.stringify(value) } : part,
  ),
});

/** A signing with an answer on health, and a text and a consent that were shown because of it; or with neither. */
function signedWith(sample: Sample, secret: string | undefined): EvidenceFile {
  const { record, ...file } = sampleEvidence(sample);
  const asked = { type: 'ask', guests: [0], required: false };
  const shown = [
    {
      ...{ page: 'health', title: 'Your health' },
      items: [{ ...asked, item: 'condition', label: 'Which condition?' }],
    },
    {
      ...{ page: 'more', title: 'More' },
      items: [
        { ...asked, item: 'nickname', label: 'Nickname' },
        { ...asked, item: 'level', label: 'Your level' },
      ],
    },
  ];
  const core = JSON.parse(Object(record.parts[0]).text);
  const revealing = {
    shown: [
      {
        ...{ page: 'risk', title: 'Risk of asthma' },
        items: [{ item: 'risk', guests: null, type: 'text', text: 'Carry your inhaler', initials: true }],
      },
    ],
    acts: [{ item: 'risk', guest: null, act: 'initial', at: core.times.signedAt }],
  };
  const isAnswered = secret !== undefined;
  const sensitive = {
    shown: isAnswered ? { hash: 'risk' } : null,
    health: isAnswered ? [{ guest: 0, item: 'condition', hash: 'condition' }] : [],
  };
  const whole = withPart(withPart(record, 'core', { ...core, shown }), 'sensitive', sensitive);
  const entries = [
    ...record.entries.filter(({ text }) => text !== 'false'),
    ...(isAnswered
      ? [
          { hash: 'condition', salt: '', text: JSON.stringify(secret) },
          { hash: 'risk', salt: '', text: JSON.stringify(revealing) },
        ]
      : []),
  ];
  return { ...file, record: { ...whole, entries } };
}

const forBookingSystem = (file: EvidenceFile) =>
  signingDocument(file, { operator, isForBookingSystem: true });

describe('the document for a booking system', () => {
  const sick = signedWith(sampleNamed('english'), 'severe epilepsy');

  test('has no answer on health in its text nor beside it, and says so', async () => {
    const pdf = await documentPdf({
      document: forBookingSystem(sick),
      evidence: undefined,
      reference: 'ref',
    });
    const { text: pages } = await extractText(new Uint8Array(pdf), { mergePages: true });
    const text = pages.replaceAll(/\s+/g, ' ');
    expect(text).toContain(documentWords('en').withoutHealth);
    expect(text).toContain('Your level (Zoë Bäcker)');
    expect(text).toContain(`Record (SHA-256) ${sick.record.leaf.slice(0, 40)}`);
    for (const hidden of [
      ...['epilepsy', 'Which condition', 'Your health', 'inhaler', 'Risk of', 'Nickname', 'no answer'],
      ...['192.0.2.7', 'Mozilla', 'evidence.json'],
    ])
      expect(text).not.toContain(hidden);
    const opened = await getDocumentProxy(new Uint8Array(pdf));
    expect(await opened.getAttachments()).toBeNull();
    expect(JSON.stringify(signingDocument(sick, { operator }))).toMatch(
      /severe epilepsy.*Carry your inhaler/,
    );
  });

  test('is the same whatever was answered on health', () => {
    const healthy = signedWith(sampleNamed('english'), undefined);
    const withLeaf = { ...healthy, record: { ...healthy.record, leaf: sick.record.leaf }, chain: sick.chain };
    expect(forBookingSystem(withLeaf)).toEqual(forBookingSystem(sick));
  });

  test('says so in the language of the signing', () => {
    const arabic = signedWith(sampleNamed('arabic'), 'الصرع');
    expect(forBookingSystem(arabic).blocks).toContainEqual({
      kind: 'note',
      text: documentWords('ar').withoutHealth,
    });
  });

  test('of a returning guest leaves out what was asked on health, and the device', () => {
    const core = {
      ...{ kind: 'reuse', of: sick.record.leaf, at: '2026-11-25T10:00:00.000Z', proof: 'code', link: {} },
      ...{ form: { id: 'f', name: 'Rafting', version: 3, hash: '' }, signed: { version: 3 } },
      ...{ validUntil: '2027-01-01', booking: null, day: { date: '2026-11-25' } },
      question: { text: 'Still right?', health: 'Has your health changed?' },
      times: { openedAt: '2026-11-25T09:59:00.000Z', confirmedAt: '2026-11-25T09:59:30.000Z' },
    };
    const trace = { address: '198.51.100.9', userAgent: 'Phone', pages: [] };
    const reuse = withPart(withPart(sick.record, 'core', core), 'trace', trace);
    const file = { ...sick, later: [reuse] };
    const shown = JSON.stringify(forBookingSystem(file));
    expect(shown).toContain('Still right?');
    expect(shown).not.toMatch(/health changed|Answered no|198\.51|Phone/);
    expect(JSON.stringify(signingDocument(file, { operator }))).toMatch(
      /health changed.*Answered no.*198\.51/,
    );
  });
});

import { createHash } from 'node:crypto';
import { maxSignedDocumentBytes, type Warning } from '@waiver-service/core';
import type { EvidenceFile, EvidenceRecord, PartName } from '@waiver-service/evidence';
import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { HttpProblem } from '@waiver-service/http';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import { signerEmail } from '../src/documents/copy-routes.ts';
import { documentPage, documentPagePolicy } from '../src/documents/document-page.ts';
import { documentPdf } from '../src/documents/document-pdf.ts';
import { signedDocumentOf } from '../src/documents/print-document.ts';
import { signingDocument } from '../src/documents/signing-document.ts';
import { documentWords } from '../src/documents/texts/languages.ts';
import { type Sample, sampleEvidence, samples } from '../src/testing/sample-evidence.ts';

const ofSigner: Pick<FormContent, 'pages'> = exampleForms[0]?.content ?? expect.fail('no form');
const ofGuest: Pick<FormContent, 'pages'> = {
  pages: ofSigner.pages.map((page) => ({
    ...page,
    items: page.items.map((item) =>
      item.type === 'ask' && item.property === 'email' ? { ...item, per: 'guest' as const } : item,
    ),
  })),
};
const parent = { takesPart: true, answers: {} };
const guardian = { takesPart: false, answers: {} };
const waivers = [{ answers: { email: 'first@example.com' } }, { answers: { email: 'second@example.com' } }];

test('the address of the signer, who is the first guest or was asked once', () => {
  expect(signerEmail(ofSigner, { signer: parent }, waivers)).toBe('first@example.com');
  expect(signerEmail(ofSigner, { signer: guardian }, waivers)).toBe('first@example.com');
  expect(signerEmail(ofGuest, { signer: parent }, waivers)).toBe('first@example.com');
});

test('never a child’s own address, where the guardian takes no part', () => {
  expect(signerEmail(ofGuest, { signer: guardian }, waivers)).toBeUndefined();
});

const operator = 'Rafting on the Isar';

const sampleNamed = (name: string): Sample => samples[name] ?? expect.fail(`no sample ${name}`);
const english = sampleEvidence(sampleNamed('english'));

const withoutPart = (file: EvidenceFile, name: string): EvidenceFile => ({
  ...file,
  record: {
    ...file.record,
    parts: file.record.parts.map((part) =>
      part.name === name ? { name: part.name, hash: part.hash } : part,
    ),
  },
});

test('the page shows what was shown, answered, agreed and signed, and where it comes from', () => {
  const html = documentPage(signingDocument(english, { operator }));
  for (const shown of [
    '<html lang="en" dir="ltr">',
    '<dt>Name (Søren Łukasiewicz)</dt><dd dir="auto">Søren Łukasiewicz</dd>',
    '<strong>I take part at my own risk.</strong>',
    '<ol start="1"><li>First</li>',
    '<p>Agreed: Signer, Nov 24, 2026, 10:59:58',
    '(2026-11-24 09:59:58 UTC)',
    '<p>Not agreed</p>',
    '<path d="M10 80L',
    '<dd dir="auto">no</dd>',
    english.record.leaf,
    'npx waiver-service verify evidence.json',
    createHash('sha256').update(JSON.stringify(english)).digest('hex'),
  ])
    expect(html).toContain(shown);
});

test('the page escapes everything, and its policy allows neither scripts nor other styles', () => {
  const html = documentPage(signingDocument(english, { operator }));
  expect(html).not.toMatch(/<script|<b>|style="| on\w+="|javascript:/);
  expect(html).toContain('I have read this &lt;script&gt;alert(1)&lt;/script&gt; &amp; agree.');
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
  expect(documentPagePolicy).toContain(
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  );
  expect(documentPagePolicy).toContain("default-src 'none'");
});

test('Arabic is set from right to left, in its own words', () => {
  const html = documentPage(signingDocument(sampleEvidence(sampleNamed('arabic')), { operator }));
  expect(html).toContain('<html lang="ar" dir="rtl">');
  expect(html).toContain('تمت الموافقة');
});

test.each(['en', 'de-AT', 'fr', 'es', 'cs', 'ar', 'xx'])('%s has all words', (language) => {
  const words = documentWords(language);
  expect(Object.keys(words).toSorted()).toEqual(Object.keys(documentWords('en')).toSorted());
  expect(Object.values(words).every((word) => word.trim() !== '')).toBe(true);
});

/** With a question for a photo, which the first two guests have answered; that of the second was erased. */
function withPhotos(file: EvidenceFile): EvidenceFile {
  const item = { item: 'licence', guests: [0, 1], type: 'ask', label: 'Licence', required: false };
  const photos = [0, 1].map((guest) => ({
    ...{ guest, item: 'licence', id: `photo-${guest}`, type: 'image/png', hash: 'ab'.repeat(32) },
  }));
  const changes: Readonly<Record<string, object>> = {
    core: {
      shown: [{ page: 'licence', title: 'Licence', items: [item, { ...item, item: 'boat', label: 'Boat' }] }],
    },
    ink: { photos },
  };
  const parts = file.record.parts.map((part) =>
    'text' in part
      ? { ...part, text: JSON.stringify({ ...JSON.parse(part.text), ...changes[part.name] }) }
      : part,
  );
  return { ...file, record: { ...file.record, parts, photos: [{ id: 'photo-0', data: 'AQID' }] } };
}

test.each([true, false])('a photo is an answer, which may be erased; for the booking system: %s', (isFor) => {
  const html = documentPage(signingDocument(withPhotos(english), { operator, isForBookingSystem: isFor }));
  expect(html).toContain('<dt>Licence (Zoë Bäcker)</dt><dd dir="auto">Photo</dd>');
  expect(html).toContain('<dt>Licence (Søren Łukasiewicz)</dt><dd dir="auto">erased</dd>');
  expect(html.includes('<dt>Boat (Zoë Bäcker)</dt><dd dir="auto">no answer</dd>')).toBe(!isFor);
});

/** As if the browser had translated the page. */
const translated = (file: EvidenceFile): EvidenceFile => {
  const parts = file.record.parts.map((part) =>
    part.name === 'trace' && 'text' in part
      ? {
          ...part,
          text: JSON.stringify({ ...JSON.parse(part.text), translatedAt: '2026-11-24T09:58:00.000Z' }),
        }
      : part,
  );
  return { ...file, record: { ...file.record, parts } };
};

test.each(['ar', 'cs', 'de', 'en', 'es', 'fr'])('that the page was translated is said in %s', (language) => {
  const file = sampleEvidence({ ...sampleNamed('english'), language });
  const words = documentWords(language);
  for (const isForBookingSystem of [false, true]) {
    const html = (of: EvidenceFile) => documentPage(signingDocument(of, { operator, isForBookingSystem }));
    expect(html(file)).not.toContain(words.translated);
    expect(html(translated(file))).toContain(`<dt>${words.translated}</dt>`);
    expect(html(translated(file))).toContain('2026-11-24 09:58:00 UTC');
  }
});

test('what was erased is said to be, and nothing of it is shown', () => {
  const file: EvidenceFile = { ...english, record: { ...english.record, entries: [] } };
  const erased = withoutPart(withoutPart(file, 'person'), 'trace');
  const html = documentPage(signingDocument(erased, { operator }));
  expect(html).not.toMatch(/Bäcker|Łukasiewicz|192\.0\.2\.7/);
  expect(html).toContain('<dt>Name (Guest 2)</dt><dd dir="auto">erased</dd>');
  expect(html).toContain('<dt>IP address</dt><dd dir="auto">erased</dd>');
  expect(() => signingDocument(withoutPart(file, 'core'), { operator })).toThrow('no core part');
});

describe('a document that a plugin asks for', () => {
  const file = sampleEvidence(samples.english ?? expect.fail('no sample'));
  const waiver = { pool: 'p1', waiverId: 'w1' };

  /** Makes the document of a waiver; prints it as this says. */
  async function made(evidence: EvidenceFile | undefined, print: () => Promise<Buffer>) {
    const warnings: Warning[] = [];
    const signings = {
      evidence: async () => evidence && { signing: 's1', poolName: 'Rafting', file: evidence },
    };
    const pdf = await signedDocumentOf(signings, waiver, (warning) => warnings.push(warning), print)();
    return { pdf, messages: warnings.map(({ message }) => message) };
  }
  const bytes = (count: number) => async () => Buffer.alloc(count);

  test('is given up to its limit, and left out beyond it with a warning', async () => {
    const most = await made(file, bytes(maxSignedDocumentBytes));
    expect([most.pdf?.byteLength, most.messages]).toEqual([maxSignedDocumentBytes, []]);
    const more = await made(file, bytes(maxSignedDocumentBytes + 1));
    expect(more).toEqual({ pdf: undefined, messages: [expect.stringContaining('4194305 bytes')] });
  });

  test('is left out where it is erased or cannot be made, with a warning, and where nothing was signed here', async () => {
    const parts = file.record.parts.map(({ name, hash }) => ({ name, hash }));
    const erased = { ...file, record: { ...file.record, parts } };
    expect((await made(erased, bytes(1))).messages).toEqual([expect.stringContaining('erased')]);
    const failed = await made(file, () => Promise.reject(new Error('no font')));
    expect(failed.messages).toEqual([expect.stringContaining('could not be made')]);
    expect(await made(undefined, bytes(1))).toEqual({ pdf: undefined, messages: [] });
  });

  test('waits without an attempt while others are made', async () => {
    const busy = () => Promise.reject(new HttpProblem(503, 'too_many_documents', 'busy'));
    await expect(made(file, busy)).rejects.toMatchObject({ notSent: true, retryAfterMs: 2_000 });
  });
});

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

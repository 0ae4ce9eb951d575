import { inflateSync } from 'node:zlib';
import type { EvidenceFile } from '@waiver-service/evidence';
import { embeddedFile, inForm } from '@waiver-service/testing';
import fc from 'fast-check';
import { extractText, getDocumentProxy } from 'unpdf';
import { describe, expect, test } from 'vitest';
import type { DocumentBlock, SigningDocument } from '../src/documents/document-page.ts';
import { documentPdf } from '../src/documents/document-pdf.ts';
import { printDocument } from '../src/documents/print-document.ts';
import { signingDocument } from '../src/documents/signing-document.ts';
import { type Sample, sampleEvidence, samples } from '../src/testing/sample-evidence.ts';

const operator = 'Rafting on the Isar';

const sampleNamed = (name: string): Sample => samples[name] ?? expect.fail(`no sample ${name}`);
const english = sampleEvidence(sampleNamed('english'));
const pdfOf = (file: EvidenceFile) =>
  documentPdf({
    document: signingDocument(file, { operator }),
    evidence: JSON.stringify(file),
    reference: 'ref',
  });

const documentWith = (...blocks: DocumentBlock[]): SigningDocument => ({
  ...{ title: 'Title', language: 'en', direction: 'ltr', createdAt: new Date(0), blocks },
});
const jobWith = (...blocks: DocumentBlock[]) => ({
  ...{ document: documentWith(...blocks), evidence: '{}', reference: 'ref' },
});
const note = (text: string): DocumentBlock => ({ kind: 'note', text });

/** The text of each page, as a reader that copies it gets it. */
async function pagesOf(pdf: Uint8Array): Promise<readonly string[]> {
  const { text } = await extractText(new Uint8Array(pdf), { mergePages: false });
  return text;
}
const textOf = async (pdf: Uint8Array) => (await pagesOf(pdf)).join('\n');

describe('the PDF of a signing', () => {
  test('shows what was shown, answered, agreed and signed, and where it comes from', async () => {
    const text = await textOf(await pdfOf(english));
    for (const shown of [
      'Rafting waiver',
      'Søren Łukasiewicz',
      'I take part at\nmy own risk.',
      '1. First',
      'Agreed: Signer, Nov 24, 2026',
      'Not agreed',
      'I have read this <script>alert(1)</script> & agree.',
      'Signature, drawn: Zoë Bäcker',
      'Signature, typed: Søren Łukasiewicz',
      'npx waiver-service verify evidence.json',
      'Number in the chain 1',
      'Rafting waiver · ref · 2 / 2',
    ])
      expect(text).toContain(shown);
  });

  test('says that it is PDF/A-3, in which language, has its structure, and the evidence byte for byte', async () => {
    const pdf = await pdfOf(english);
    const text = pdf.toString('latin1');
    expect(text).toMatch(/^%PDF-1\.7/);
    expect(text).toContain('<pdfaid:part>3</pdfaid:part>');
    expect(text).toContain('<pdfaid:conformance>A</pdfaid:conformance>');
    expect(text).toContain('/AFRelationship /Source');
    for (const type of ['/H1', '/H2', '/P', '/L', '/Table', '/Figure'])
      expect(text).toContain(`/S ${type}\n`);
    expect(embeddedFile(pdf)).toBe(JSON.stringify(english));
    const opened = await getDocumentProxy(new Uint8Array(pdf));
    expect((await opened.getMetadata()).info).toMatchObject({ Language: 'en', Title: 'Rafting waiver' });
    expect([...((await opened.getAttachments())?.keys() ?? [])]).toEqual(['evidence.json']);
  });

  test('draws the signature as lines', async () => {
    const drawing: DocumentBlock = {
      ...{ kind: 'drawing', label: 'Signed', width: 400, height: 160 },
      strokes: [
        [
          [10, 50, 0],
          [120, 20, 16],
        ],
      ],
    };
    const pdf = await documentPdf(jobWith(drawing));
    const streams = pdf.toString('latin1').split('stream\n');
    const contents = streams.flatMap((part) => {
      try {
        return [inflateSync(Buffer.from(part, 'latin1')).toString('latin1')];
      } catch {
        return [];
      }
    });
    expect(contents.some((content) => /10 50 m\s+120 20 l/.test(content))).toBe(true);
  });

  test.each([
    ...['Zoë Bäcker', 'Nguyễn Thị Hồng', 'Γιώργος Παπαδόπουλος', 'Ольга Ивановна'],
    ...['יעל כהן', 'محمد', 'راج کمار', 'राजेश कुमार', 'สมชาย ใจดี'],
    ...['山田太郎', '김민준', '王小明', '王菲 歐陽', 'გიორგი', 'Արամ'],
  ])('the name %s can be read and copied', async (name) => {
    expect(await textOf(await documentPdf(jobWith(note(name))))).toContain(name);
  });

  test('a letter and its accent are drawn as one, and a character without a glyph by its number', async () => {
    const text = await textOf(await documentPdf(jobWith(note('Zoe\u0308 \u{F0000}'))));
    expect(text).toContain('Zoë [U+F0000]');
  });

  test('is in the language of the signing, from right to left in Arabic', async () => {
    const pdf = await pdfOf(sampleEvidence(sampleNamed('arabic')));
    const opened = await getDocumentProxy(new Uint8Array(pdf));
    const { items } = await (await opened.getPage(1)).getTextContent();
    const heading = items.find((item) => 'str' in item && item.str.includes('إقرار'));
    expect(heading).toMatchObject({ dir: 'rtl' });
    const [, , , , x = 0] = heading !== undefined && 'transform' in heading ? heading.transform : [];
    expect(x).toBeGreaterThan(300);
    expect((await opened.getMetadata()).info).toMatchObject({ Language: 'ar' });
  });

  test('shows a JPEG, and names any other photo, of which the evidence has the bytes', async () => {
    const photo = (bytes: string): DocumentBlock => ({
      ...{ kind: 'photo', label: 'Photo', type: 'image/jpeg' },
      data: Buffer.from(bytes, 'hex').toString('base64'),
    });
    const jpeg = photo('ffd8ffc0001108000a001403012200021101031101ffd9');
    const drawn = await documentPdf(jobWith(jpeg));
    expect(drawn.toString('latin1')).toContain('/Filter /DCTDecode');
    expect(await textOf(drawn)).not.toContain('evidence.json');
    for (const other of ['89504e470d0a1a0a', 'ffd8', '']) {
      expect(await textOf(await documentPdf(jobWith(photo(other))))).toContain('evidence.json\nPhoto');
    }
  });
});

describe('the thread that prints', () => {
  test('prints as many as it may at a time, and refuses more with a time to ask again', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 17 }, (_, index) => printDocument(jobWith(note(`Number ${index}`)))),
    );
    const printed = answers.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(printed).toHaveLength(16);
    expect(await textOf(printed[15] ?? Buffer.alloc(0))).toContain('Number 15');
    expect(answers.at(-1)).toMatchObject({
      reason: { status: 503, code: 'too_many_documents', headers: { 'retry-after': '5' } },
    });
  });

  test('is replaced after a failure', async () => {
    const broken = documentWith({ kind: 'drawing', label: '', strokes: [], width: 0, height: 0 });
    await expect(printDocument({ ...jobWith(), document: broken })).rejects.toThrow();
    expect(await textOf(await printDocument(jobWith(note('After'))))).toContain('After');
  });
});

describe('page breaks', () => {
  /** How much of each page is filled, in points, as the positions of its texts show; without the footer. */
  async function filledHeights(pdf: Uint8Array): Promise<readonly number[]> {
    const proxy = await getDocumentProxy(new Uint8Array(pdf));
    const heights: number[] = [];
    for (let number = 1; number <= proxy.numPages; number += 1) {
      const { items } = await (await proxy.getPage(number)).getTextContent();
      const ys = items.flatMap((item) =>
        'transform' in item && item.str.trim() !== '' ? [Number(item.transform[5])] : [],
      );
      // From the bottom: the footer is the lowest.
      const [, lowest = 0] = [...new Set(ys.map(Math.round))].sort((one, other) => one - other);
      heights.push(841 - 56 - lowest);
    }
    return heights;
  }

  const words = (count: number) => 'some words that were signed '.repeat(count).trim();
  const block = fc.oneof(
    fc.record({ kind: fc.constant('note' as const), text: fc.integer({ min: 1, max: 60 }).map(words) }),
    fc.record({
      kind: fc.constant('heading' as const),
      level: fc.constantFrom(2 as const, 3 as const),
      text: fc.integer({ min: 1, max: 4 }).map(words),
    }),
    fc.record({
      kind: fc.constant('facts' as const),
      facts: fc.array(
        fc.record({
          label: fc.integer({ min: 1, max: 3 }).map(words),
          value: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 100, max: 300 })).map(words),
        }),
        { minLength: 1, maxLength: 8 },
      ),
    }),
    fc.record({
      ...{ kind: fc.constant('drawing' as const), label: fc.constant('Signature'), strokes: fc.constant([]) },
      ...{ width: fc.constant(400), height: fc.constant(200) },
    }),
    fc.record({
      kind: fc.constant('written' as const),
      label: fc.constant('Name'),
      text: fc.constant('Zoë'),
    }),
  );

  test('no page of several stands empty but for an answer or a few lines', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(block, { minLength: 5, maxLength: 40 }), async (blocks) => {
        const heights = await filledHeights(await documentPdf(jobWith(...blocks)));
        if (heights.length > 1) expect(Math.min(...heights)).toBeGreaterThan(90);
      }),
      { numRuns: inForm({ short: 6, long: 60 }) },
    );
  });

  test('an answer that is longer than a page begins below the others', async () => {
    const facts = [
      { label: 'Name', value: 'Zoë' },
      { label: 'Remarks', value: words(120) },
      { label: 'Level', value: 'beginner' },
    ];
    const pages = await pagesOf(await documentPdf(jobWith({ kind: 'facts', facts })));
    expect(pages).toHaveLength(2);
    expect(pages[0]).toMatch(/Zoë[\s\S]*Remarks some words/);
    expect(pages[1]).toMatch(/that were signed[\s\S]*Level beginner/);
  });
});

import { createHash } from 'node:crypto';
import type { EvidenceFile } from '@waiver-service/evidence';
import { expect, test } from 'vitest';
import { documentPage, documentPagePolicy } from '../src/documents/document-page.ts';
import { signingDocument } from '../src/documents/signing-document.ts';
import { documentWords } from '../src/documents/texts/languages.ts';
import { type Sample, sampleEvidence, samples } from '../src/testing/sample-evidence.ts';

const operator = 'Rafting on the Isar';

const sampleNamed = (name: string): Sample => {
  const sample = samples[name];
  if (sample === undefined) throw new Error(`no sample ${name}`);
  return sample;
};
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

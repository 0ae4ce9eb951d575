import { describe, expect, test } from 'vitest';
import { checkSigning, exampleForms, formContentSchema, loadSentences, signingSchema } from '../src/index.ts';
import { day, signed } from './signed.ts';

describe.each(exampleForms)('$name', ({ content }) => {
  test('is a form', () => {
    expect(formContentSchema.parse(content)).toEqual(content);
  });

  test.each(content.languages)('is signed by an adult, in %s', async (language) => {
    const signing = signed(content, ['1990-02-28'], { language });
    expect(signingSchema.parse(signing)).toEqual(signing);
    const checked = checkSigning(content, signing, day, await loadSentences(language));
    expect(checked).toMatchObject({ ok: true });
  });

  test('is signed by a parent with two children', async () => {
    const signing = signed(content, ['1990-02-28', '2015-05-05', '2012-12-31']);
    const checked = checkSigning(content, signing, day, await loadSentences('en'));
    expect(checked).toMatchObject({
      ok: true,
      result: { waivers: [{ guest: 0 }, { guest: 1 }, { guest: 2 }] },
    });
  });
});

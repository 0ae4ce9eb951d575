import type { FormContent } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { expect, test } from 'vitest';
import { signerEmail } from '../src/documents/copy-routes.ts';

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

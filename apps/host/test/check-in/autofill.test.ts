import type { AskItem } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import { isLong } from '@waiver-service/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CheckInScene,
  goOn,
  heading,
  onScreen,
  send,
  startCheckInScene,
} from '../harness/check-in-page.ts';

let scene: CheckInScene;

const both = (text: string) => ({ en: text, de: text });
const ask = (id: string, kind: AskItem['kind'], more: Partial<AskItem> = {}): AskItem => ({
  type: 'ask',
  id,
  kind,
  label: both(`Question ${id}`),
  required: true,
  per: 'signer',
  ...more,
});
const optionsUpTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `o${index}`, label: both(`Option ${index}`) }));

/** A question of each kind that can be filled in. */
const questions = [
  ask('line', 'text'),
  ask('mail', 'email'),
  ask('tel', 'phone'),
  ask('words', 'long'),
  ask('count', 'number'),
  ask('day', 'date'),
  ask('land', 'country'),
  ask('few', 'choice', { options: optionsUpTo(3) }),
  ask('many', 'choice', { options: optionsUpTo(12) }),
  ask('some', 'choices', { options: optionsUpTo(2) }),
  ask('yes', 'yesno'),
];

beforeAll(async () => {
  const content = exampleForms[0]?.content;
  if (content === undefined) throw new Error('there is no example form');
  const pages = content.pages.map((page) => (page.id === 'water' ? { ...page, items: questions } : page));
  scene = await startCheckInScene({}, { ...content, pages });
});
afterAll(() => scene?.close());

type Sent = 'input' | 'change';

/** Fills in as a browser does that sends only one event, and that after the value has changed. */
const fillIn = (control: Locator, sent: Sent, value: string) =>
  control.evaluate(
    (element, [type, filled]) => {
      if (element instanceof HTMLInputElement && ['radio', 'checkbox'].includes(element.type)) {
        element.checked = true;
      } else if (
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement
      ) {
        element.value = filled;
      }
      element.dispatchEvent(new Event(type, { bubbles: true }));
    },
    [sent, value] as const,
  );

const fillInDate = async (group: Locator, sent: Sent) => {
  await fillIn(group.getByLabel('Day'), sent, '7');
  await fillIn(group.getByLabel('Month'), sent, '3');
  await fillIn(group.getByLabel('Year'), sent, '1988');
};

/** All that the controls of the screen hold. */
const held = (page: Page) =>
  page.locator('form :is(input, select, textarea)').evaluateAll((controls) =>
    controls.map((control) => {
      if (control instanceof HTMLInputElement && ['radio', 'checkbox'].includes(control.type))
        return control.checked;
      return 'value' in control ? control.value : null;
    }),
  );

/** Goes on, and back: all that was filled in is still there. */
async function expectHeld(page: Page, next: string): Promise<void> {
  const title = (await heading(page).textContent()) ?? '';
  const filled = await held(page);
  await goOn(page, next);
  await page.goBack();
  await onScreen(page, title);
  expect(await held(page)).toEqual(filled);
  await goOn(page, next);
}

describe.each(isLong ? (['change', 'input'] as const) : (['change'] as const))(
  'a browser that fills in and sends only `%s`',
  (sent) => {
    test('is heard by each kind of field, to the end', async () => {
      const { page } = await scene.open({ bookingId: 'BK-1001' });
      await onScreen(page, 'Who are you?');
      // A language is chosen as well.
      await fillIn(page.getByLabel('Language'), sent, 'de');
      await onScreen(page, 'Wer sind Sie?');
      await fillIn(page.getByLabel('Sprache'), sent, 'en');
      await onScreen(page, 'Who are you?');

      await fillIn(page.getByLabel('Myself and children'), sent, '');
      await fillIn(page.getByLabel('I am not on this list'), sent, '');
      await fillIn(page.getByLabel('First and last name'), sent, 'Ana Peña');
      await fillIn(page.getByLabel('Your relationship to the children'), sent, 'Mother');
      await fillInDate(page.getByRole('group', { name: 'Date of birth' }), sent);
      await fillIn(page.getByLabel('Email address'), sent, 'ana@example.com');
      await fillIn(page.getByLabel('Mobile phone number'), sent, '+43 660 7654321');
      await fillIn(page.getByLabel('Whom should we call'), sent, 'Jonas Peña');
      await fillIn(page.getByLabel('Their phone number'), sent, '+43 660 1234567');
      await expectHeld(page, 'Your children');

      const guest = page.getByLabel('Their name in the booking');
      const [, first = ''] = await guest
        .locator('option')
        .evaluateAll((options) => options.map((option) => option.getAttribute('value') ?? ''));
      await fillIn(guest, sent, first);
      await fillIn(page.getByLabel('First and last name'), sent, 'Max Peña');
      await fillInDate(page.getByRole('group', { name: 'Date of birth' }), sent);
      await fillIn(page.getByLabel('Year'), sent, '2015');
      await expectHeld(page, 'You and the water');

      const texts = { line: 'a line', mail: 'b@example.com', tel: '0660 99999', words: 'much', count: '7' };
      for (const [id, text] of Object.entries(texts)) {
        await fillIn(page.getByLabel(`Question ${id}`), sent, text);
      }
      await fillInDate(page.getByRole('group', { name: 'Question day' }), sent);
      await fillIn(page.getByLabel('Question land'), sent, 'AT');
      await fillIn(page.getByLabel('Question many'), sent, 'o9');
      await fillIn(page.getByRole('group', { name: 'Question few' }).getByLabel('Option 1'), sent, '');
      await fillIn(page.getByRole('group', { name: 'Question some' }).getByLabel('Option 0'), sent, '');
      await fillIn(page.getByRole('group', { name: 'Question some' }).getByLabel('Option 1'), sent, '');
      await fillIn(page.getByRole('group', { name: 'Question yes' }).getByLabel('Yes'), sent, '');
      await expectHeld(page, 'The river and its risks');

      await fillIn(page.getByLabel('Your initials'), sent, 'AP');
      await expectHeld(page, 'Read and agree');
      for (const box of await page.getByRole('checkbox').all()) await fillIn(box, sent, '');
      await expectHeld(page, 'Signature');

      for (const radio of await page.getByLabel('Type', { exact: true }).all()) await fillIn(radio, sent, '');
      for (const name of await page.getByLabel('Type your full name').all())
        await fillIn(name, sent, 'Ana Peña');
      await expectHeld(page, 'Is everything right?');
      const signing = page.waitForRequest((request) => request.url().endsWith('/signings'));
      await send(page);
      const { guests, signer } = JSON.parse((await signing).postData() ?? '');
      expect(signer.answers).toMatchObject({
        ...texts,
        count: 7,
        day: '1988-03-07',
        land: 'AT',
        few: 'o1',
        many: 'o9',
        some: ['o0', 'o1'],
        yes: true,
      });
      expect(guests).toMatchObject([
        { answers: { name: 'Ana Peña' } },
        { bookingGuestId: first, answers: { name: 'Max Peña', dateOfBirth: '2015-03-07' } },
      ]);
    });
  },
);

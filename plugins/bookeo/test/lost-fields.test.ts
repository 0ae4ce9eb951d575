import type { Waiver } from '@waiver-service/core';
import { expect, test } from 'vitest';
import { lostFields } from '../src/write/update-people.ts';

const waiver: Waiver = {
  id: 'w1',
  pool: 'p',
  bookingId: '77',
  lastVisit: '2027-06-12T07:30:00.000Z',
  deleted: false,
  updatedAt: '2027-06-10T08:00:00.000Z',
};
const line = '[waiver w1@77] updated 2027-06-10 [end]';
const others = 'Paper\n[waiver w2@77] updated 2027-06-09 [end]';
const inField = (value: string) => ({ id: 'F1', name: 'Waiver', value });
const shoes = { id: 'F2', name: 'Shoe size', value: '34' };
const sent = {
  firstName: 'Ana',
  emailAddress: 'ana@example.com',
  gender: '',
  acceptSmsReminders: false,
  phoneNumbers: [{ number: '1', type: 'mobile' }],
  streetAddress: { city: 'Linz' },
  customFields: [shoes, inField(`${others}\n${line}`)],
};

test.each([
  [{}, []],
  [{ gender: undefined, memo: 'new', streetAddress: { city: 'Linz', state: 'OÖ' } }, []],
  [
    {
      customFields: [
        { name: 'waiver', value: `${others}\r\n${line}` },
        { id: 'F2', value: '34' },
      ],
    },
    [],
  ],
  [{ customFields: [{ name: 'Shoe size', value: ' 34' }, inField(`${line}\n${others}`)] }, []],
  [{ emailAddress: undefined, acceptSmsReminders: true }, ['emailAddress', 'acceptSmsReminders']],
  [{ gender: 'female', firstName: { first: 'Ana' } }, ['firstName', 'gender']],
  [{ phoneNumbers: [], streetAddress: { city: 'Wels' } }, ['phoneNumbers', 'streetAddress']],
  [{ phoneNumbers: [{ number: '2', type: 'mobile' }] }, ['phoneNumbers']],
  [{ customFields: [inField(others)] }, ['custom field "Shoe size"']],
  [{ customFields: [shoes, inField(`Paper\n${line}`)] }, ['other text in the custom field "Waiver"']],
  [{ customFields: undefined }, ['custom field "Shoe size"', 'other text in the custom field "Waiver"']],
])('a person with %j lacks %j', (change, names) => {
  expect(lostFields(sent, { ...sent, ...change }, 'Waiver', waiver)).toEqual(names);
});

test('a field that only has an id is named by it; one of another id is another field, whatever its name', () => {
  const byId = { customFields: [{ id: 'F3', value: 'vegan' }] };
  expect(lostFields(byId, {}, 'Waiver', waiver)).toEqual(['custom field "F3"']);
  const renumbered = { customFields: [{ ...shoes, id: 'F9' }] };
  expect(lostFields({ customFields: [shoes] }, renumbered, 'Waiver', waiver)).toEqual([
    'custom field "Shoe size"',
  ]);
});

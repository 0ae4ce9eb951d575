import { describe, expect, test } from 'vitest';
import { personOfClaims, roleOf, rulesOf } from '../src/sign-in/person-of-claims.ts';

const roles = {
  claim: 'groups',
  scopes: [],
  values: new Map([
    ['admins', { role: 'owner' }],
    ['desk-a', { role: 'operator', pools: ['a', 'b'] }],
    ['desk-b', { role: 'operator', pools: ['b', 'c'] }],
    ['everywhere', { role: 'operator' }],
    ['auditors', { role: 'viewer' }],
  ] as const),
};

test.each([
  [['admins', 'auditors', 'desk-a'], { role: 'owner' }],
  [['desk-a', 'auditors'], { role: 'operator', pools: ['a', 'b'] }],
  [['desk-a', 'desk-b'], { role: 'operator', pools: ['a', 'b', 'c'] }],
  [['desk-a', 'everywhere'], { role: 'operator' }],
  [['auditors', 'unknown'], { role: 'viewer' }],
  ['auditors', { role: 'viewer' }],
  [['Auditors', ' auditors'], undefined],
  [[], undefined],
  [[['admins']], undefined],
  [{ admins: true }, undefined],
  [null, undefined],
])('the groups %j give %j', (groups, expected) => {
  expect(roleOf({ groups }, roles)).toEqual(expected);
});

test('no claim, or one of the prototype, gives nothing', () => {
  expect(roleOf({}, roles)).toBeUndefined();
  expect(roleOf({}, { ...roles, claim: 'constructor' })).toBeUndefined();
  expect(roleOf({ groups: ['constructor', '__proto__'] }, roles)).toBeUndefined();
});

test('an e-mail address counts only once the issuer has verified it', () => {
  const byEmail = {
    claim: 'email',
    scopes: [],
    values: new Map([['mia@example.com', { role: 'owner' }]] as const),
  };
  const email = 'mia@example.com';
  expect(roleOf({ email, email_verified: true }, byEmail)).toEqual({ role: 'owner' });
  expect(roleOf({ email, email_verified: 'true' }, byEmail)).toEqual({ role: 'owner' });
  expect(roleOf({ email: 'Mia@Example.com', email_verified: true }, byEmail)).toEqual({ role: 'owner' });
  for (const verified of [false, undefined, null, 'false', '', 1, 'yes']) {
    expect(roleOf({ email, email_verified: verified }, byEmail)).toBeUndefined();
  }
});

test.each([
  ['realm_access.roles', { realm_access: { roles: ['x', 'admins'] } }],
  ['https://example.com/roles', { 'https://example.com/roles': 'admins' }],
  ['groups', { groups: 'admins' }],
  ['department', { department: 7 }],
  ['departments', { departments: [3, 7] }],
  ['staff', { staff: true }],
])('the claim %s is compared as issuers write it: %j', (claim, claims) => {
  const values = ['admins', '7', 'true'].map((value) => [value, { role: 'owner' }] as const);
  expect(roleOf(claims, { claim, scopes: [], values: new Map(values) })).toEqual({ role: 'owner' });
});

test.each([
  [{}, 'groups', 'roles are given by the claim "groups", which the issuer did not send'],
  [{ groups: null }, 'groups', 'roles are given by the claim "groups", which the issuer did not send'],
  [
    { groups: {} },
    'groups',
    'roles are given by the claim "groups", in which the issuer sent no value to compare',
  ],
  [
    { groups: ['x', 'y'] },
    'groups',
    'roles are given by the claim "groups", and none of its 2 values has one here',
  ],
  [{ email: 'a@b.example' }, 'email', 'the issuer did not send the claim "email_verified"'],
  [{ email: 'a@b.example', email_verified: 'false' }, 'email', 'and the issuer says that it is not'],
  [{ email: 'a@b.example', email_verified: true }, 'email', 'and its value has none here'],
])('the claims %j give no role by %s, and the rule is named', (claims, claim, refusal) => {
  const { given } = personOfClaims('subject-1', claims, { ...roles, claim });
  expect(given).toEqual({ refusal: expect.stringContaining(refusal) });
});

describe('people are called', () => {
  test.each([
    [{ name: 'Mia', email: 'mia@example.com' }, 'Mia <mia@example.com>'],
    [{ name: 'Mia' }, 'Mia'],
    [{ email: 'mia@example.com', preferred_username: 'mia' }, 'mia@example.com'],
    [{ preferred_username: 'mia' }, 'mia'],
    [{ name: 7, email: ['x'] }, 'subject-1'],
    [{ name: '  ' }, 'subject-1'],
    [{ name: 'Mia\r\nadmin\u0000\u202e\ud800' }, 'Mia  admin'],
    [{ name: 'x'.repeat(300) }, 'x'.repeat(200)],
  ])('by %j: %j', (claims, expected) => {
    expect(personOfClaims('subject-1', claims, roles).name).toBe(expected);
  });
});

test('other rules are told apart, whatever the secret is', () => {
  const settings = { issuer: 'https://a.example', clientId: 'c', clientSecret: 's', roles };
  expect(rulesOf({ ...settings, clientSecret: 'another' })).toBe(rulesOf(settings));
  const others = [
    { ...settings, issuer: 'https://b.example' },
    { ...settings, clientId: 'd' },
    { ...settings, roles: { ...roles, claim: 'roles' } },
    { ...settings, roles: { ...roles, values: new Map([...roles.values].slice(1)) } },
  ];
  for (const other of others) expect(rulesOf(other)).not.toBe(rulesOf(settings));
  expect(rulesOf(undefined)).toBeUndefined();
});

import {
  checkSigning,
  type FormContent,
  type Item,
  loadSentences,
  signingSchema,
} from '@waiver-service/forms';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  actOn,
  awaitsCode,
  changedItems,
  type Draft,
  type DraftPerson,
  forNewVersion,
  isTaken,
  newId,
  signerAsGuest,
  withAct,
  withAnswer,
  withAskedCode,
  withPerson,
} from '../src/draft/draft.ts';
import {
  asBookedGuest,
  newDraft,
  withAnotherChild,
  withoutChild,
  withSigningFor,
} from '../src/draft/people.ts';
import { toSigning } from '../src/draft/to-signing.ts';
import type { CheckInSession } from '../src/host/calls.ts';
import { exampleContent, family, published, sessionOf } from './drafts.ts';

const at = new Date('2027-07-10T08:00:00Z');
const { session, draft: filled } = family();
const signingOf = (draft: Draft) => toSigning(draft, draft.form, session.day, at);
const checked = async (draft: Draft) =>
  checkSigning(draft.form.content, signingOf(draft), session.day, await loadSentences('en'));
const signatures = (draft: Draft) =>
  draft.acts.filter(({ act }) => act === 'sign').map(({ person }) => person);

test('what a parent with two children entered is a complete signing, one waiver each', async () => {
  const result = await checked(filled);
  expect(result).toMatchObject({ ok: true });
  if (!result.ok) return;
  expect(
    result.result.waivers.map(({ answers }) => [answers.name, answers.guardianName, answers.email]),
  ).toEqual([
    ['Zoë Bäcker', undefined, 'zoe@example.com'],
    ['Max Bäcker', 'Zoë Bäcker', 'zoe@example.com'],
    ['Ida Bäcker', 'Zoë Bäcker', 'zoe@example.com'],
  ]);
});

test('an answer that was given before a choice hid its question does not leave the device', () => {
  const ill = withAnswer(withAnswer(filled, 1, 'condition', true), 1, 'conditionDetails', 'Asthma');
  expect(signingOf(ill).guests[1]?.answers).toMatchObject({ conditionDetails: 'Asthma' });
  expect(JSON.stringify(signingOf(withAnswer(ill, 1, 'condition', false)))).not.toContain('Asthma');
});

test.each(['Zoë \ud83d', '\ude00 Zoë', 'Zo\u0000ë'])(
  'the service takes what a keyboard leaves in a field: %j',
  (text) => {
    const guardian = { name: text, relationship: text };
    const named = withAnswer({ ...filled, guardian }, 0, 'name', text);
    const called = withAnswer(named, null, 'emergencyName', text);
    const signed = called.acts.map((act) =>
      act.act === 'initial'
        ? { ...act, initials: text }
        : act.act === 'sign' && act.method === 'type'
          ? { ...act, name: text }
          : act,
    );
    const { data } = signingSchema.safeParse(signingOf({ ...called, acts: signed }));
    expect(data?.guests[0]?.answers.name).toMatch(/^.?\s?Zo.?ë\s?.?$/u);
    expect(data?.acts).toHaveLength(filled.acts.length);
  },
);

test('the service takes a signing however often someone went back and forth, with the newest pages', () => {
  const pages = Array.from({ length: 400 }, (_, turn) => ({ page: `p${turn}`, at: at.toISOString() }));
  const { data } = signingSchema.safeParse(signingOf({ ...filled, pages }));
  expect(data?.times.pages?.at(-1)?.page).toBe('p399');
});

test('who is taken out takes their answers and signature along, and the others keep theirs', () => {
  const withoutMax = withoutChild(filled, 'max');
  expect(signingOf(withoutMax).guests.map(({ answers }) => answers.name)).toEqual([
    'Zoë Bäcker',
    'Ida Bäcker',
  ]);
  expect(
    signingOf(withoutMax)
      .acts.filter(({ act }) => act === 'sign')
      .map(({ guest }) => guest),
  ).toEqual([0, null]);
});

test('a signature does not cover a child who is added after it', () => {
  const withAnother = withAnotherChild(filled);
  expect(signatures(filled)).toEqual(['zoë', 'max', null]);
  expect(signatures(withAnother)).toEqual([]);
  expect(signatures(withSigningFor(filled, 'children'))).toEqual([]);
  // Consents and initials are about the text.
  expect(withAnother.acts.length).toBe(filled.acts.length - 3);
});

test('a guardian who does not take part is no guest, and the children keep their places', async () => {
  const guardian = { name: 'Zoë Bäcker', relationship: 'Mother', dateOfBirth: '1988-03-07' };
  const children = withSigningFor({ ...filled, guardian }, 'children');
  const signer = children.acts;
  const sign = (draft: Draft, item: string, guest: number | null, name: string) =>
    withAct(draft, item, guest, { act: 'sign', method: 'type', name }, at);
  const signed = sign(
    sign({ ...children, acts: signer }, 'guardianSignature', null, 'Zoë Bäcker'),
    'signature',
    0,
    'Max Bäcker',
  );
  expect(await checked(signed)).toMatchObject({ ok: true });
  expect(signingOf(signed)).toMatchObject({ signer: { takesPart: false, guardian }, guests: [{}, {}] });
  expect(actOn(signed, 'signature', 0)?.person).toBe('max');
});

test('a link to one guest fills in what the booking knows of them, and who they are', () => {
  const content = exampleContent('climbing-hall');
  const guest = { bookingGuestId: 'G-1', label: 'Zoë B.', signed: false };
  const draft = newDraft(
    {
      ...sessionOf(content),
      link: { kind: 'guest', expiresAt: null },
      guests: [{ ...guest, prefill: { name: 'Zoë Bäcker', email: 'zoe@example.com', weight: 60 } }],
    },
    ['de-AT'],
    at,
  );
  expect(draft.self).toMatchObject({ bookingGuestId: 'G-1', answers: { name: 'Zoë Bäcker' } });
  expect(signingOf(draft).guests[0]?.bookingGuestId).toBe('G-1');
  // The signer is asked once for all.
  expect(draft.signerAnswers).toEqual({ email: 'zoe@example.com' });
});

test('an id is a UUID where the browser cannot make one', () => {
  const { randomUUID } = crypto;
  try {
    Object.assign(crypto, { randomUUID: undefined });
    const ids = Array.from({ length: 50 }, newId);
    for (const id of ids)
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(new Set(ids).size).toBe(50);
  } finally {
    Object.assign(crypto, { randomUUID });
  }
});

const asked = { email: 'returning@example.com', id: 'code-1', at: '2027-07-10T07:00:00.000Z' };
const waiting = withAskedCode(filled, asked);

test('a code that was asked for is awaited for as long as it works, and until it is used', () => {
  expect(awaitsCode(filled, new Date(asked.at))).toBe(false);
  expect(awaitsCode(waiting, new Date('2027-07-10T07:09:59Z'))).toBe(true);
  expect(awaitsCode(waiting, new Date('2027-07-10T07:10:00Z'))).toBe(false);
  expect(withAskedCode(waiting, undefined)).toEqual(filled);
});

test('the address to which a code was sent is no part of the signing', () => {
  const signing = toSigning(waiting, waiting.form, session.day, new Date());
  expect(JSON.stringify(signing)).not.toContain(asked.email);
});

const rafting = exampleContent('rafting');
const withItems = (change: (items: readonly Item[]) => readonly Item[]): FormContent => ({
  ...rafting,
  pages: rafting.pages.map((page) => ({ ...page, items: change(page.items) })),
});
const reworded = withItems((items) =>
  items.map((item) =>
    item.id === 'privacy' && item.type === 'agree' ? { ...item, text: { en: 'New', de: 'Neu' } } : item,
  ),
);
const summary = (former: FormContent, current: FormContent) =>
  changedItems(former, current, 'en').map(({ change, item }) => `${change} ${item.id}`);

test('a guest is told what is new, worded differently and no longer asked, and nothing else', () => {
  const weight = rafting.pages.flatMap(({ items }) => items).find(({ id }) => id === 'weight');
  const without = withItems((items) => items.filter(({ id }) => id !== 'weight'));
  expect(weight).toBeDefined();
  expect(summary(rafting, rafting)).toEqual([]);
  expect(summary(rafting, reworded)).toEqual(['reworded privacy']);
  expect(summary(rafting, without)).toEqual(['removed weight']);
  expect(summary(without, rafting)).toEqual(['added weight']);
});

test('a newer version keeps answers and the consents to what is worded as before, and wants to be signed', () => {
  const { draft } = family();
  const next = forNewVersion(draft, published(reworded, 2));
  const items = (acts: typeof draft.acts) => acts.map(({ item }) => item);
  expect(next).toMatchObject({ form: { version: 2 }, self: draft.self, children: draft.children });
  expect(items(next.acts)).toContain('electronic');
  expect(items(next.acts)).toContain('risks');
  expect(items(next.acts)).not.toContain('privacy');
  expect(next.acts.filter(({ act }) => act === 'sign')).toEqual([]);
});

test('a newer version that lacks the guest’s language is read in its first', () => {
  const { draft } = family();
  const german = { ...draft, language: 'de' };
  const next = forNewVersion(german, published({ ...rafting, languages: ['en'] }, 2));
  expect(next).toMatchObject({ language: 'en', acts: [] });
});

const bookedGuests = ['G-1', 'G-2'].map((bookingGuestId) => ({
  bookingGuestId,
  label: bookingGuestId,
  signed: false,
}));
const group: CheckInSession = { ...sessionOf(rafting), guests: bookedGuests };
const emptyDraft = newDraft(group, ['en'], new Date());

/** Sets which guest of the booking someone is, if the page offers it: it does not if someone else is that guest. */
function choose(draft: Draft, person: DraftPerson | undefined, bookingGuestId: string | null): Draft {
  if (person === undefined) return draft;
  const guest = bookedGuests.find((one) => one.bookingGuestId === bookingGuestId) ?? null;
  if (guest !== null && isTaken(draft, person, guest.bookingGuestId)) return draft;
  return withPerson(draft, person.key, (one) => asBookedGuest(one, guest, rafting));
}

const bookingGuestsOf = (draft: Draft) =>
  toSigning(draft, draft.form, group.day, new Date()).guests.map(({ bookingGuestId }) => bookingGuestId);

test('a signer whose guest of the booking was chosen for a child meanwhile is asked again', () => {
  const asMax = choose(emptyDraft, emptyDraft.self, 'G-2');
  const ofChild = withSigningFor(asMax, 'children');
  const child = choose(ofChild, ofChild.children[0], 'G-2');
  const both = withSigningFor(child, 'both');
  expect(signerAsGuest(both).bookingGuestId).toBeUndefined();
  expect(bookingGuestsOf(both)).toEqual([undefined, 'G-2']);
  // The choice for the child can be kept or taken back, and the signer alone is who they said.
  expect(isTaken(both, both.self, 'G-2')).toBe(true);
  expect(isTaken(both, child.children[0] ?? both.self, 'G-2')).toBe(false);
  expect(bookingGuestsOf(choose(both, both.children[0], null))).toEqual(['G-2', undefined]);
  expect(bookingGuestsOf(withSigningFor(both, 'self'))).toEqual(['G-2']);
});

test('a signer and a child who are both none of the booking’s guests are not asked again', () => {
  const both = withSigningFor(choose(emptyDraft, emptyDraft.self, null), 'both');
  expect(signerAsGuest(choose(both, both.children[0], null)).bookingGuestId).toBeNull();
});

test('no sequence of changes leaves two people of one signing with the same guest of the booking', () => {
  const guest = fc.constantFrom(null, ...bookedGuests.map(({ bookingGuestId }) => bookingGuestId));
  const change: fc.Arbitrary<(draft: Draft) => Draft> = fc.oneof(
    fc.constantFrom('self', 'both', 'children').map((one) => (draft: Draft) => withSigningFor(draft, one)),
    // The page asks signers who take part, and children who come.
    guest.map(
      (one) => (draft: Draft) => (draft.signingFor === 'children' ? draft : choose(draft, draft.self, one)),
    ),
    fc.tuple(fc.nat({ max: 1 }), guest).map(
      ([index, one]) =>
        (draft: Draft) =>
          draft.signingFor === 'self' ? draft : choose(draft, draft.children[index], one),
    ),
    fc.constant(withAnotherChild),
    fc
      .nat({ max: 1 })
      .map((index) => (draft: Draft) => withoutChild(draft, draft.children[index]?.key ?? '')),
  );
  fc.assert(
    fc.property(fc.array(change, { minLength: 10, maxLength: 20 }), (changes) => {
      const ids = bookingGuestsOf(changes.reduce((draft, one) => one(draft), emptyDraft)).filter(Boolean);
      expect(ids).toEqual([...new Set(ids)]);
    }),
    // Four changes in one order lead to it: few sequences have them.
    { numRuns: 1_000 },
  );
});

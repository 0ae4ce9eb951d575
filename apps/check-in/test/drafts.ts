import type { FormContent, PublishedForm } from '@waiver-service/forms';
import { exampleForms } from '@waiver-service/forms/examples';
import type { Draft } from '../src/draft/draft.ts';
import { newDraft, withSigningFor } from '../src/draft/people.ts';

import type { CheckInSession } from '../src/host/calls.ts';

export function exampleContent(trade: string): FormContent {
  const example = exampleForms.find((one) => one.trade === trade);
  if (example === undefined) throw new Error(`no example for ${trade}`);
  return example.content;
}

export const published = (content: FormContent, version = 1): PublishedForm => ({
  form: 'form-1',
  version,
  hash: `hash-${version}`,
  content,
});

export const sessionOf = (content: FormContent): CheckInSession => ({
  pool: { name: 'Alpine Rafting' },
  link: { kind: 'booking', expiresAt: '2027-07-12T00:00:00.000Z' },
  booking: { reference: 'BK-1', sessions: [] },
  guests: [],
  day: { date: '2027-07-10', activities: [] },
  form: published(content),
  sealing: { id: 'key-1', publicKey: '' },
});

const at = new Date('2027-07-10T07:00:00Z');

/** Zoë, who signs for herself, Max (15) and Ida (9) on the form for rafting, with everything answered. */
export function family(): { session: CheckInSession; draft: Draft } {
  const session = sessionOf(exampleContent('rafting'));
  const answers = { swimming: 'well', condition: false };
  const draft = withSigningFor(newDraft(session, ['en'], at), 'both');
  const named = (name: string, dateOfBirth: string, key: string) => ({
    key,
    answers: { ...answers, name, dateOfBirth },
  });
  const act = { person: null, at: at.toISOString() } as const;
  const items = session.form.content.pages.flatMap((page) => page.items);
  const signature = (item: string, person: string | null, name: string) =>
    ({ item, person, at: act.at, act: 'sign', method: 'type', name }) as const;
  const signatureOfGuests = items.find((item) => item.type === 'sign' && item.by === 'guest')?.id ?? '';
  const signatureOfGuardian = items.find((item) => item.type === 'sign' && item.by === 'guardian')?.id ?? '';
  return {
    session,
    draft: {
      ...draft,
      self: named('Zoë Bäcker', '1988-03-07', 'zoë'),
      children: [named('Max Bäcker', '2012-05-01', 'max'), named('Ida Bäcker', '2018-05-01', 'ida')],
      guardian: { relationship: 'Mother' },
      signerAnswers: {
        email: 'zoe@example.com',
        emergencyName: 'Jonas Bäcker',
        emergencyPhone: '+43 660 1234567',
      },
      acts: [
        ...items.flatMap((item) =>
          item.type === 'agree' && item.required ? [{ ...act, item: item.id, act: 'agree' } as const] : [],
        ),
        ...items.flatMap((item) =>
          item.type === 'text' && item.initials
            ? [{ ...act, item: item.id, act: 'initial', initials: 'ZB' } as const]
            : [],
        ),
        signature(signatureOfGuests, 'zoë', 'Zoë Bäcker'),
        signature(signatureOfGuests, 'max', 'Max Bäcker'),
        signature(signatureOfGuardian, null, 'Zoë Bäcker'),
      ],
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Signing } from '@waiver-service/forms';
import { signed } from '@waiver-service/forms/testing';
import type { PublishedExample, TestCaller } from '@waiver-service/testing';
import type { PlannedGuest } from './saturday.ts';

type Signer = Pick<PlannedGuest, 'name' | 'email' | 'born'> & { readonly id?: string };

/** A signing of the form by these people; the first of them signs for those who are minors. */
export function signingOf({ form, version, content }: PublishedExample, people: readonly Signer[]): Signing {
  const filled = signed(
    content,
    people.map(({ born }) => born),
  );
  const asks = content.pages.flatMap(({ items }) => items).filter((item) => item.type === 'ask');
  const idOf = (property: string) => asks.find((item) => item.property === property)?.id ?? '';
  return {
    ...filled,
    id: crypto.randomUUID(),
    form,
    version,
    guests: filled.guests.map((guest, place) => {
      const { id, name } = people[place] ?? {};
      return {
        ...guest,
        ...(id === undefined ? {} : { bookingGuestId: id }),
        answers: { ...guest.answers, [idOf('name')]: name ?? '' },
      };
    }),
    signer: {
      ...filled.signer,
      answers: { ...filled.signer.answers, [idOf('email')]: people[0]?.email ?? '' },
    },
  };
}

/** Waits as long as it is told to and sends again, as the page does: all of this day come from one address. */
export const patiently =
  (guest: TestCaller): TestCaller =>
  async (...request) => {
    for (;;) {
      const answer = await guest(...request);
      if (answer.status !== 429) return answer;
      await delay(1_000 * Number(answer.headers.get('retry-after')));
    }
  };

/** Opens the page of a link. @returns whether its booking still takes place */
export async function open(guest: TestCaller): Promise<boolean> {
  const { status, body, text } = await guest('GET', '/check-in/api/session');
  if (status === 409 && body.code === 'booking_cancelled') return false;
  if (status !== 200) throw new Error(`the page was answered ${status}: ${text}`);
  return true;
}

/** Sends a signing. @returns the ids of its waivers */
export async function send(guest: TestCaller, signing: Signing): Promise<readonly string[]> {
  const { status, body, text } = await guest('POST', '/check-in/api/signings', signing);
  if (status !== 201) throw new Error(`the signing was answered ${status}: ${text}`);
  return body.waivers.map(({ id }: { readonly id: string }) => id);
}

/** Confirms what the guest of a link signed before. @returns false if they are not known */
export async function confirm(guest: TestCaller, { id }: PlannedGuest): Promise<boolean> {
  const language = 'en';
  const { body } = await guest('POST', '/check-in/api/returning/people', { language });
  const [person] = body.people ?? [];
  if (person === undefined) return false;
  const now = new Date().toISOString();
  const { status, text } = await guest('POST', '/check-in/api/reuses', {
    id: crypto.randomUUID(),
    language,
    people: [{ waiver: person.waiver, bookingGuestId: id }],
    healthUnchanged: true,
    times: { openedAt: now, confirmedAt: now },
  });
  if (status !== 201) throw new Error(`the confirmation was answered ${status}: ${text}`);
  return true;
}

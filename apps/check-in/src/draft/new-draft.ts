import type { CheckInSession } from '../host/session.ts';
import { pickLanguage } from '../text/languages.ts';
import { type Draft, newId } from './draft.ts';
import { asBookedGuest, newPerson, prefilled, signingForChoices } from './people.ts';

/** An empty draft, prefilled with what the link provides. */
export function newDraft(session: CheckInSession, languages: readonly string[], now: Date): Draft {
  const { form, link, guests } = session;
  const [first = 'en', ...others] = form.content.languages;
  const [signingFor = 'self'] = signingForChoices(form.content);
  // A link to one guest names the signer or, if the form can only be signed for children, the child.
  const named = link.kind === 'guest' ? guests[0] : undefined;
  const person = named === undefined ? newPerson() : asBookedGuest(newPerson(), named, form.content);
  const isSigner = named !== undefined && signingFor !== 'children';
  return {
    id: newId(),
    form,
    language: pickLanguage(languages, [first, ...others]),
    openedAt: now.toISOString(),
    signingFor,
    self: signingFor === 'children' ? newPerson() : person,
    children: signingFor === 'children' ? [person] : [],
    guardian: {},
    signerAnswers: isSigner ? prefilled(form.content, named, 'signer') : {},
    acts: [],
    photos: [],
    pages: [],
  };
}

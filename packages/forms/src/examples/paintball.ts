import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en');

/** One language; masks are the only rule to be initialed. */
export const paintball: ExampleForm = {
  trade: 'paintball',
  name: 'Paintball',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 12, maxMinors: 10, minorSignsFrom: 12 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('field', { en: 'On the field' }, [
        parts.read(
          'mask',
          {
            en: '# Your mask\nA paintball in the eye blinds. **I keep my mask on from the moment I pass the net until I am back behind it,** whatever happens: fogged, hit, lost or called by a friend. If I cannot see, I kneel, cover the mask and shout for a marshal.',
          },
          true,
        ),
        parts.read('rules', {
          en: `## The other rules
1. Barrel cover on, and safety on, everywhere but on the field.
2. No shots within five metres, at animals, spectators, or anyone who has surrendered.
3. Only our paint; speeds are set by our staff and are not changed.
4. Mind roots, holes and bunkers: most injuries are falls.
5. A marshal’s word ends a discussion, and a game.

Hits sting and leave bruises. Ankles are twisted, knees are scraped, and now and then a bone breaks.`,
        }),
        {
          ...parts.read('young', {
            en: 'Players under 16 play with markers of lower power, in games without older players.',
          }),
          when: { ageBelow: 16 },
        },
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({ en: 'I understand the rules and risks, and play by my own choice.' }),
        parts.electronic,
        parts.privacy,
        parts.photos,
        parts.marketing,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

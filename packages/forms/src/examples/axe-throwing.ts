import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en');

/** Adults without a birth date: signers declare that they are of age. */
export const axeThrowing: ExampleForm = {
  trade: 'axe-throwing',
  name: 'Axe throwing',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 90 },
    reuse: 'form',
    people: { adults: true, minors: 'no', majority: 18, maxMinors: 0 },
    pages: [
      { ...parts.aboutYou(), items: parts.aboutYou().items.filter(({ id }) => id !== 'dateOfBirth') },
      parts.page('lane', { en: 'In the lane' }, [
        parts.read('rules', {
          en: `# Sharp steel flies
An axe that hits wrongly bounces back, up to the line. Blades cut, shoulders strain, splinters fly.

- One thrower in a lane. Everybody else stays behind the yellow line.
- Throw only when the lane master says so, and fetch only when both axes are stuck or lie still.
- Axes are carried head down and handed over by the handle, never thrown to anyone.
- Closed shoes. No alcohol before throwing, two drinks at most before the last round is over.
- Tell us about a loose head or a cracked handle.`,
        }),
        parts.choice(
          'hand',
          { en: 'Which hand do you throw with?' },
          { right: { en: 'Right' }, left: { en: 'Left' }, both: { en: 'Both' } },
        ),
        {
          ...parts.ask('howHeard', 'text', { en: 'How did you hear about us?' }, { required: false }),
          property: 'howHeard',
          max: 100,
        },
        parts.terms({
          en: 'I am 18 or older and sober. I know these rules and risks, and throw by my own choice.',
        }),
        parts.electronic,
        parts.privacy,
        parts.marketing,
      ]),
      parts.signatures('guest'),
    ],
  },
};

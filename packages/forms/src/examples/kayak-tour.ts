import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en');

/** Two activities on one form: the sea tour asks more than the lake tour. */
export const kayakTour: ExampleForm = {
  trade: 'kayak-tour',
  name: 'Kayak tours',
  content: {
    languages: parts.languages,
    activities: ['lake-tour', 'sea-tour'],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 8, maxMinors: 4, minorSignsFrom: 15 },
    guardian: { relationship: 'ask', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('paddling', { en: 'Your paddling' }, [
        {
          ...parts.ask('swims', 'yesno', { en: 'Can you swim 50 metres in open water?' }),
          flag: { on: ['no'], label: 'Weak swimmer' },
        },
        {
          ...parts.choice(
            'rolling',
            { en: 'What do you do when a kayak capsizes?' },
            {
              none: { en: 'I have never tried' },
              wetExit: { en: 'I get out under water' },
              rescue: { en: 'I get out, and back in with help' },
              roll: { en: 'I roll up' },
            },
          ),
          flag: { on: ['none'], label: 'Practise the exit first' },
          when: { activity: ['sea-tour'] },
        },
        {
          ...parts.choice(
            'seat',
            { en: 'Which kayak would you like?' },
            { single: { en: 'A single' }, double: { en: 'A double, with someone of my group' } },
          ),
        },
        parts.health,
        parts.healthQuestion(
          'condition',
          {
            en: 'Do you have a condition that could be a problem on the water, such as epilepsy, asthma, diabetes, heart disease, or a shoulder that dislocates?',
          },
          'Talk before launching',
        ),
        parts.healthDetails(
          'conditionDetails',
          { en: 'What should your guide know, and where is your medicine?' },
          ['condition'],
        ),
      ]),
      parts.page('risks', { en: 'Risks and rules' }, [
        parts.read('risks', {
          en: `# On the water
Capsizing, cold water, sunstroke, sore wrists and slippery landings are part of paddling. Drowning is rare, and nearly always of those without a vest.

- The buoyancy aid stays closed from the shore to the shore.
- Stay within calling distance of your guide, and together as a group.
- If you capsize, hold on to the kayak. We come to you.
- Dress for the water, not for the air.`,
        }),
        {
          ...parts.read(
            'sea',
            {
              en: '**The sea tour crosses open water.** Wind, tide and boats can make a return impossible for hours. The guide decides about route and return, and may cancel at the shore.',
            },
            true,
          ),
          when: { activity: ['sea-tour'] },
        },
        parts.terms({
          en: 'I know these risks, have told the truth about my swimming, and paddle by my own choice.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'fr');

/** Narrow passages: size, fears and fitness, and what a rescue means underground. */
export const caving: ExampleForm = {
  trade: 'caving',
  name: 'Caving tour',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 9, maxMinors: 4, minorSignsFrom: 13 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('underground', { en: 'You under ground', fr: 'Vous sous terre' }, [
        {
          ...parts.ask('height', 'number', { en: 'Height in centimetres', fr: 'Taille en centimètres' }),
          property: 'height',
          min: 110,
          max: 215,
        },
        {
          ...parts.choice(
            'narrow',
            {
              en: 'How do you feel in narrow places?',
              fr: 'Comment vous sentez-vous dans les endroits étroits ?',
            },
            {
              fine: { en: 'Fine', fr: 'Bien' },
              unsure: { en: 'I do not know', fr: 'Je ne sais pas' },
              afraid: { en: 'Afraid', fr: 'J’ai peur' },
            },
          ),
          flag: { on: ['unsure', 'afraid'], label: 'Narrow places' },
        },
        {
          ...parts.read('wide', {
            en: 'There is a way around the two narrowest passages. Tell your guide at the entrance, and you will go with the first group.',
            fr: 'Il existe un détour pour les deux passages les plus étroits. Dites-le au guide à l’entrée : vous irez avec le premier groupe.',
          }),
          when: { answer: 'narrow', in: ['unsure', 'afraid'] },
        },
        parts.health,
        parts.healthQuestion(
          'condition',
          {
            en: 'Do you have asthma, epilepsy, heart disease, diabetes, trouble with knees or back, or are you pregnant?',
            fr: 'Avez-vous de l’asthme, de l’épilepsie, une maladie du cœur, du diabète, des problèmes de genoux ou de dos, ou êtes-vous enceinte ?',
          },
          'Talk at the entrance',
        ),
        parts.healthDetails(
          'conditionDetails',
          { en: 'What should your guide know?', fr: 'Que doit savoir votre guide ?' },
          ['condition'],
        ),
      ]),
      parts.page('risks', { en: 'Risks and rules', fr: 'Risques et règles' }, [
        parts.read(
          'risks',
          {
            en: `# A cave is no show cave
It is dark, wet, slippery and 9 °C cold. You crawl, climb and get dirty. Falling stones, slips, exhaustion and rising water can hurt and hold you. **A rescue takes hours, often many.**

- Helmet and light stay on. Touch no formations, leave nothing.
- Stay behind the first guide and in front of the last.
- Say early if you are cold, tired or afraid.`,
            fr: `# Une grotte n’est pas une visite guidée
Il y fait sombre, humide, glissant et 9 °C. On rampe, on grimpe, on se salit. Chutes de pierres, glissades, épuisement et montée des eaux peuvent blesser ou bloquer. **Un secours prend des heures, souvent beaucoup.**

- Casque et lampe restent en place. Ne touchez pas les concrétions, ne laissez rien.
- Restez derrière le premier guide et devant le dernier.
- Dites tôt que vous avez froid, que vous êtes fatigué ou que vous avez peur.`,
          },
          true,
        ),
        parts.terms({
          en: 'I know these risks and take part by my own choice.',
          fr: 'Je connais ces risques et je participe de mon plein gré.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

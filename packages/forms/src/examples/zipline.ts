import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'es');

/** One page of questions, one of text: the shortest of the outdoor forms. */
export const zipline: ExampleForm = {
  trade: 'zipline',
  name: 'Zip line',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 5, maxAge: 80, maxMinors: 6 },
    guardian: { relationship: 'ask', age: 'tick' },
    pages: [
      parts.aboutYou({
        ...parts.ask('weight', 'number', { en: 'Weight in kilograms', es: 'Peso en kilogramos' }),
        property: 'weight',
        min: 20,
        max: 120,
      }),
      parts.page('line', { en: 'On the line', es: 'En la tirolina' }, [
        {
          ...parts.read('together', {
            en: 'Children below 10 fly together with a guide.',
            es: 'Los menores de 10 años vuelan junto a un guía.',
          }),
          when: { ageBelow: 10 },
        },
        parts.read('rules', {
          en: `# Fast, high, outdoors
You reach 60 km/h. Possible are hard braking, bruises, burns by the rope if you touch it, being stuck above the valley until we fetch you, and, if rules are broken, a fall.

- Do not take part with heart or back trouble, a fresh operation, during pregnancy, or after alcohol.
- Hair tied, pockets empty, closed shoes.
- **Never open a carabiner yourself.** Guides clip you in and out.
- Brake when the guide signals, with the glove behind the pulley, never in front of it.`,
          es: `# Rápido, alto y al aire libre
Se alcanzan 60 km/h. Puede haber frenadas bruscas, golpes, quemaduras si se toca el cable, quedarse parado sobre el valle hasta que vayamos y, si se incumplen las normas, una caída.

- No participe con problemas de corazón o espalda, recién operado, embarazada o después de beber alcohol.
- Pelo recogido, bolsillos vacíos, calzado cerrado.
- **No abra nunca un mosquetón.** Los guías le enganchan y desenganchan.
- Frene cuando lo indique el guía, con el guante detrás de la polea, nunca delante.`,
        }),
        parts.terms({
          en: 'I know the rules and risks, and fly by my own choice.',
          es: 'Conozco las normas y los riesgos, y participo por decisión propia.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
        parts.marketing,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

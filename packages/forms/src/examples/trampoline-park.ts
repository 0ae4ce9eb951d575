import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'fr');

/** Short: a parent signs for many children at the desk. */
export const trampolinePark: ExampleForm = {
  trade: 'trampoline-park',
  name: 'Trampoline park',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 365 },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 3, maxMinors: 15 },
    guardian: { relationship: 'require', age: 'tick' },
    pages: [
      parts.aboutYou(),
      parts.page('rules', { en: 'Jump safely', fr: 'Sauter en sécurité' }, [
        parts.read('rules', {
          en: `# Jumping has risks
Wrong landings and collisions can sprain, break bones and injure neck and spine. They happen on trampolines more often than in most sports.

- One person on each trampoline.
- Land on two feet, in the middle. Somersaults only in the foam pit, and only if you can do them.
- Do not jump if you are pregnant, have a weak back or neck, or had an operation lately.
- Grip socks on; pockets empty; no chewing gum.
- Do what our staff say. They watch the hall, **but parents watch their children.**`,
          fr: `# Sauter comporte des risques
Mauvaises réceptions et collisions peuvent causer entorses, fractures et blessures du cou ou du dos. Elles sont plus fréquentes au trampoline que dans la plupart des sports.

- Une seule personne par trampoline.
- Réception sur deux pieds, au milieu. Saltos uniquement dans la fosse à mousse, et seulement si vous les maîtrisez.
- Ne sautez pas si vous êtes enceinte, si votre dos ou votre cou est fragile, ou après une opération récente.
- Chaussettes antidérapantes ; poches vides ; pas de chewing-gum.
- Suivez les consignes du personnel. Il surveille la salle, **mais les parents surveillent leurs enfants.**`,
        }),
        {
          ...parts.read('small', {
            en: 'Children under 6 jump in the small hall only, with an adult beside the trampoline.',
            fr: 'Les enfants de moins de 6 ans sautent uniquement dans la petite salle, avec un adulte à côté du trampoline.',
          }),
          when: { ageBelow: 6 },
        },
        parts.terms({
          en: 'I have read the rules, explain them to the children with me, and accept the ordinary risks of jumping.',
          fr: 'J’ai lu les règles, je les explique aux enfants qui m’accompagnent et j’accepte les risques ordinaires du saut.',
        }),
        parts.electronic,
        parts.privacy,
        parts.marketing,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

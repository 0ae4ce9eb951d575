import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'fr');

/** Trial training from 16; minors of that age sign in addition to a guardian who stays at home. */
export const fitnessStudio: ExampleForm = {
  trade: 'fitness-studio',
  name: 'Fitness and yoga studio',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 365 },
    reuse: 'form',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 16, maxMinors: 2, minorSignsFrom: 16 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('training', { en: 'Your training', fr: 'Votre entraînement' }, [
        {
          ...parts.choice(
            'goals',
            { en: 'What do you want to train for?', fr: 'Quels sont vos objectifs ?' },
            {
              strength: { en: 'Strength', fr: 'Force' },
              endurance: { en: 'Endurance', fr: 'Endurance' },
              mobility: { en: 'Mobility', fr: 'Mobilité' },
              calm: { en: 'Calm and sleep', fr: 'Calme et sommeil' },
            },
          ),
          kind: 'choices',
          required: false,
          max: 3,
        },
        parts.health,
        parts.healthQuestion(
          'advice',
          {
            en: 'Has a doctor ever told you to exercise only after advice, or do you feel pain in the chest or dizziness when you exert yourself?',
            fr: 'Un médecin vous a-t-il déjà dit de ne pas vous entraîner sans avis, ou ressentez-vous des douleurs à la poitrine ou des vertiges à l’effort ?',
          },
          'Talk before training',
          180,
        ),
        parts.healthQuestion(
          'joints',
          {
            en: 'Do you have trouble with bones, joints or back that training could make worse, or are you pregnant?',
            fr: 'Avez-vous des problèmes d’os, d’articulations ou de dos que l’entraînement pourrait aggraver, ou êtes-vous enceinte ?',
          },
          'Adapt exercises',
          180,
        ),
        parts.healthDetails(
          'healthDetails',
          { en: 'What should your trainer know?', fr: 'Que doit savoir votre entraîneur ?' },
          ['advice', 'joints'],
          180,
        ),
      ]),
      parts.page('rules', { en: 'House rules', fr: 'Règlement' }, [
        parts.read('rules', {
          en: `# Train safely
Strains, torn muscles, dropped weights and, rarely, collapse can happen in training.

1. Begin slowly, and stop when something hurts.
2. Ask before you use a machine for the first time.
3. Secure weights with collars; put them back.
4. Clean shoes, a towel, and no phone calls in the yoga room.`,
          fr: `# S’entraîner en sécurité
Élongations, déchirures, chutes de poids et, rarement, malaises peuvent survenir.

1. Commencez doucement et arrêtez si cela fait mal.
2. Demandez avant d’utiliser une machine pour la première fois.
3. Fixez les poids avec des colliers ; rangez-les.
4. Chaussures propres, serviette, et pas d’appels dans la salle de yoga.`,
        }),
        parts.terms({
          en: 'I keep the house rules and train within my limits.',
          fr: 'Je respecte le règlement et je m’entraîne dans mes limites.',
        }),
        parts.electronic,
        parts.privacy,
        parts.marketing,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

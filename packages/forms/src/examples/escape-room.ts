import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'fr');

/** Low risk: players of 14 and older sign for themselves. */
export const escapeRoom: ExampleForm = {
  trade: 'escape-room',
  name: 'Escape room',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 365 },
    reuse: 'form',
    people: { adults: true, minors: 'alone', majority: 18, minAge: 14, maxMinors: 0 },
    pages: [
      parts.aboutYou(),
      parts.page('rules', { en: 'Before you go in', fr: 'Avant d’entrer' }, [
        parts.read('rules', {
          en: `# The room
It is dark in places, with narrow passages, strobe light, sudden sounds and steps. **The door is never locked against you:** the green button opens it at any time.

- Force is never needed. What takes strength is not part of the game.
- Do not climb on furniture; leave sockets and what is marked with a red dot.
- No flames, no drinks, no photos inside: keep the secret for others.
- A game master watches by camera, for your safety and for hints. Nothing is recorded.`,
          fr: `# La salle
Il y fait sombre par endroits, avec des passages étroits, de la lumière stroboscopique, des bruits soudains et des marches. **La porte n’est jamais verrouillée pour vous :** le bouton vert l’ouvre à tout moment.

- La force n’est jamais nécessaire. Ce qui en demande ne fait pas partie du jeu.
- Ne montez pas sur les meubles ; ne touchez ni aux prises ni à ce qui porte un point rouge.
- Pas de flammes, de boissons ni de photos : gardez le secret pour les autres.
- Un maître du jeu vous voit par caméra, pour votre sécurité et pour les indices. Rien n’est enregistré.`,
        }),
        {
          ...parts.ask('strobe', 'yesno', {
            en: 'Shall we switch off the strobe light and keep the room brighter?',
            fr: 'Souhaitez-vous que nous coupions le stroboscope et éclairions davantage la salle ?',
          }),
          flag: { on: ['yes'], label: 'No strobe light' },
        },
        {
          ...parts.choice(
            'language',
            {
              en: 'In which language do you want hints?',
              fr: 'Dans quelle langue voulez-vous les indices ?',
            },
            { english: { en: 'English', fr: 'Anglais' }, french: { en: 'French', fr: 'Français' } },
          ),
          required: false,
          per: 'signer',
        },
        parts.terms({
          en: 'I follow these rules and pay for what I damage on purpose or by force.',
          fr: 'Je respecte ces règles et je paie ce que j’abîme volontairement ou par la force.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
        parts.marketing,
      ]),
      parts.signatures('guest'),
    ],
  },
};

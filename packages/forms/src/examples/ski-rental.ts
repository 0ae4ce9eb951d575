import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de', 'fr');

/** Weight, height and style set the bindings; valid for the season. */
export const skiRental: ExampleForm = {
  trade: 'ski-rental',
  name: 'Ski rental',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { until: '05-31' },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, maxMinors: 8 },
    guardian: { relationship: 'ask', age: 'tick' },
    pages: [
      parts.aboutYou(),
      parts.page('fitting', { en: 'For your bindings', de: 'Für Ihre Bindung', fr: 'Pour vos fixations' }, [
        parts.read('why', {
          en: 'Bindings release by these numbers. **Please do not guess:** a wrong weight can break a leg.',
          de: 'Nach diesen Angaben löst die Bindung aus. **Bitte nicht schätzen:** Ein falsches Gewicht kann ein Bein brechen.',
          fr: 'Les fixations se déclenchent selon ces chiffres. **Ne devinez pas :** un poids faux peut casser une jambe.',
        }),
        {
          ...parts.ask('weight', 'number', {
            en: 'Weight in kilograms, dressed',
            de: 'Gewicht in Kilogramm, angezogen',
            fr: 'Poids en kilogrammes, habillé',
          }),
          property: 'weight',
          min: 10,
          max: 180,
        },
        {
          ...parts.ask('height', 'number', {
            en: 'Height in centimetres',
            de: 'Größe in Zentimetern',
            fr: 'Taille en centimètres',
          }),
          property: 'height',
          min: 70,
          max: 220,
        },
        {
          ...parts.ask(
            'sole',
            'number',
            {
              en: 'Length of the boot’s sole in millimetres, if you bring boots',
              de: 'Sohlenlänge in Millimetern, wenn Sie eigene Schuhe mitbringen',
              fr: 'Longueur de semelle en millimètres, si vous apportez vos chaussures',
            },
            { required: false },
          ),
          min: 150,
          max: 400,
        },
        parts.choice(
          'style',
          { en: 'How do you ski?', de: 'Wie fahren Sie?', fr: 'Comment skiez-vous ?' },
          {
            careful: {
              en: 'Slowly, on easy slopes',
              de: 'Langsam, auf leichten Pisten',
              fr: 'Lentement, sur pistes faciles',
            },
            moderate: { en: 'At medium speed', de: 'Mit mittlerem Tempo', fr: 'À vitesse moyenne' },
            fast: {
              en: 'Fast, on steep slopes',
              de: 'Schnell, auf steilen Pisten',
              fr: 'Vite, sur pistes raides',
            },
          },
        ),
        parts.ask('helmet', 'yesno', {
          en: 'Do you want to rent a helmet?',
          de: 'Möchten Sie einen Helm leihen?',
          fr: 'Souhaitez-vous louer un casque ?',
        }),
      ]),
      parts.page('terms', { en: 'Rental', de: 'Miete', fr: 'Location' }, [
        parts.read('rental', {
          en: `# Rental
1. Bindings reduce the risk of injury, they do not remove it. They may not release, or release when they should not.
2. Have them checked by us after a hard fall; change nothing yourself.
3. Return everything clean and dry by closing time of the last day. Loss and damage beyond ordinary wear are paid for.
4. Theft: tell us and the police the same day. Ski should stand apart, not in pairs.`,
          de: `# Miete
1. Bindungen verringern das Verletzungsrisiko, sie beseitigen es nicht. Sie können nicht oder zur falschen Zeit auslösen.
2. Lassen Sie sie nach einem schweren Sturz von uns prüfen; stellen Sie nichts selbst um.
3. Geben Sie alles bis Ladenschluss des letzten Tages sauber und trocken zurück. Verlust und Schäden über normale Abnutzung hinaus werden bezahlt.
4. Diebstahl: Melden Sie ihn am selben Tag uns und der Polizei. Stellen Sie Ski getrennt ab.`,
          fr: `# Location
1. Les fixations réduisent le risque de blessure, elles ne le suppriment pas. Elles peuvent ne pas se déclencher, ou se déclencher à tort.
2. Faites-les vérifier chez nous après une lourde chute ; ne réglez rien vous-même.
3. Rendez tout propre et sec avant la fermeture du dernier jour. Pertes et dommages au-delà de l’usure normale sont facturés.
4. Vol : prévenez-nous, ainsi que la police, le jour même. Posez vos skis séparément.`,
        }),
        parts.terms({
          en: 'My numbers are right, and I accept the terms of rental.',
          de: 'Meine Angaben stimmen, und ich akzeptiere die Mietbedingungen.',
          fr: 'Mes chiffres sont exacts et j’accepte les conditions de location.',
        }),
        parts.electronic,
        parts.privacy,
        parts.marketing,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

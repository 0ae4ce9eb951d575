import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/**
 * Valid for a year; guests who belay say so, and see the rules for it; teenagers from 14 sign in addition to a
 * guardian.
 */
export const climbingHall: ExampleForm = {
  trade: 'climbing-hall',
  name: 'Climbing hall',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 365 },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, maxMinors: 6, minorSignsFrom: 14 },
    guardian: { relationship: 'require', age: 'tick' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('climbing', { en: 'Your climbing', de: 'Ihr Klettern' }, [
        {
          ...parts.choice(
            'kind',
            { en: 'What do you want to do today?', de: 'Was möchten Sie heute machen?' },
            {
              bouldering: { en: 'Bouldering', de: 'Bouldern' },
              auto: { en: 'Climbing at automatic belays', de: 'Klettern an Selbstsicherungsgeräten' },
              toprope: { en: 'Top rope', de: 'Toprope' },
              lead: { en: 'Lead climbing', de: 'Vorstieg' },
            },
          ),
          kind: 'choices',
          min: 1,
        },
        {
          ...parts.choice(
            'belaying',
            { en: 'Can you belay safely?', de: 'Können Sie sicher sichern?' },
            {
              certificate: { en: 'Yes, with a certificate', de: 'Ja, mit Kletterschein' },
              experience: { en: 'Yes, by long practice', de: 'Ja, durch lange Übung' },
              no: { en: 'No, I need an introduction', de: 'Nein, ich brauche eine Einweisung' },
            },
          ),
          flag: { on: ['no'], label: 'May not belay' },
          when: { answer: 'kind', in: ['toprope', 'lead'] },
        },
        {
          ...parts.read(
            'belayRules',
            {
              en: `## When you belay
- Check each other before every climb: knot, harness, carabiner, belay device.
- Stand near the wall, look at the climber, keep a hand on the brake rope.
- **A mistake in belaying can kill.** Ask our staff to watch you if you are unsure.`,
              de: `## Wenn Sie sichern
- Prüfen Sie sich vor jedem Start gegenseitig: Knoten, Gurt, Karabiner, Sicherungsgerät.
- Stehen Sie nah an der Wand, schauen Sie zum Kletternden, eine Hand bleibt am Bremsseil.
- **Ein Fehler beim Sichern kann tödlich sein.** Bitten Sie uns, Ihnen zuzusehen, wenn Sie unsicher sind.`,
            },
            true,
          ),
          when: { answer: 'kind', in: ['toprope', 'lead'] },
        },
      ]),
      parts.page('rules', { en: 'Rules of the hall', de: 'Hallenordnung' }, [
        parts.read('rules', {
          en: `# Climbing is dangerous
Falls to the mat and to the ground, falling holds and falling people can injure you and others, seriously and for life. Mats make falls softer, not safe.

- Keep the landing area free. Never walk below someone who climbs.
- Children under 14 are watched by an adult all the time, and do not play on the mats.
- No rings, no loose objects in pockets.
- Tell us about damaged holds, ropes and harnesses at once.`,
          de: `# Klettern ist gefährlich
Stürze auf die Matte und auf den Boden, brechende Griffe und fallende Personen können Sie und andere schwer und dauerhaft verletzen. Matten machen Stürze weicher, nicht sicher.

- Halten Sie den Sturzraum frei. Gehen Sie nie unter Kletternden durch.
- Kinder unter 14 werden die ganze Zeit von einem Erwachsenen beaufsichtigt und spielen nicht auf den Matten.
- Keine Ringe, keine losen Gegenstände in den Taschen.
- Melden Sie beschädigte Griffe, Seile und Gurte sofort.`,
        }),
        {
          ...parts.read('children', {
            en: 'You bring a child under 14: an adult stays beside it on the mats, and decides how high it climbs.',
            de: 'Sie bringen ein Kind unter 14 mit: Ein Erwachsener bleibt auf den Matten bei ihm und entscheidet, wie hoch es klettert.',
          }),
          when: { ageBelow: 14 },
        },
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en: 'I follow the rules of the hall and climb at my own risk, as far as its ordinary dangers are concerned.',
          de: 'Ich halte mich an die Hallenordnung und klettere auf eigenes Risiko, soweit es um die gewöhnlichen Gefahren geht.',
        }),
        parts.electronic,
        parts.privacy,
        parts.marketing,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

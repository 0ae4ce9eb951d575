import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/** Height and experience determine the kart; a guardian confirms with a tick. */
export const karting: ExampleForm = {
  trade: 'karting',
  name: 'Karting',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 365 },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 7, maxMinors: 8 },
    guardian: { relationship: 'ask', age: 'tick' },
    pages: [
      parts.aboutYou(),
      parts.page('driver', { en: 'You as a driver', de: 'Sie am Steuer' }, [
        {
          ...parts.ask(
            'height',
            'number',
            { en: 'Height in centimetres', de: 'Größe in Zentimetern' },
            {
              help: {
                en: 'Below 145 cm you drive one of our junior karts.',
                de: 'Unter 145 cm fahren Sie eines unserer Junior-Karts.',
              },
            },
          ),
          property: 'height',
          min: 110,
          max: 220,
        },
        parts.choice(
          'experience',
          { en: 'Have you driven a kart before?', de: 'Sind Sie schon einmal Kart gefahren?' },
          {
            never: { en: 'Never', de: 'Noch nie' },
            some: { en: 'A few times', de: 'Einige Male' },
            often: { en: 'Often, or in races', de: 'Oft oder in Rennen' },
          },
        ),
        {
          ...parts.read('firstTime', {
            en: 'Welcome! Come ten minutes early: we show you brakes, flags and the racing line before your first heat.',
            de: 'Willkommen! Kommen Sie zehn Minuten früher: Wir zeigen Ihnen vor dem ersten Lauf Bremsen, Flaggen und Ideallinie.',
          }),
          when: { answer: 'experience', in: ['never'] },
        },
        {
          ...parts.ask('sober', 'yesno', {
            en: 'Are you free of alcohol, drugs, and medicine that makes drowsy?',
            de: 'Sind Sie frei von Alkohol, Drogen und Medikamenten, die müde machen?',
          }),
          flag: { on: ['no'], label: 'Not fit to drive' },
        },
      ]),
      parts.page('rules', { en: 'Risks and rules', de: 'Gefahren und Regeln' }, [
        parts.read(
          'risks',
          {
            en: `# Karts are fast and low
Karts reach up to 60 km/h. **Collisions with barriers and other karts happen, also to careful drivers.** They can cause bruises, whiplash, broken bones and, rarely, worse. Hair, scarves and cords can be caught by wheels and axle.`,
            de: `# Karts sind schnell und flach
Karts fahren bis zu 60 km/h. **Zusammenstöße mit Banden und anderen Karts kommen vor, auch bei vorsichtigen Fahrern.** Sie können zu Prellungen, Schleudertrauma, Knochenbrüchen und selten zu Schlimmerem führen. Haare, Schals und Kordeln können von Rädern und Achse erfasst werden.`,
          },
          true,
        ),
        parts.read('rules', {
          en: `## On the track
1. Wear helmet and closed shoes; tie up long hair; no scarves.
2. Both feet stay in the kart, both hands at the wheel.
3. Yellow flag: slow down, do not overtake. Red flag: stop. Blue flag: let others pass.
4. No deliberate contact. Whoever rams or blocks leaves the track without a refund.
5. If the kart stops, stay in it and raise your arm.`,
          de: `## Auf der Strecke
1. Tragen Sie Helm und geschlossene Schuhe; lange Haare zusammenbinden; keine Schals.
2. Beide Füße bleiben im Kart, beide Hände am Lenkrad.
3. Gelbe Flagge: langsam, nicht überholen. Rote Flagge: anhalten. Blaue Flagge: vorbeilassen.
4. Keine absichtlichen Berührungen. Wer rammt oder blockiert, verlässt die Strecke ohne Erstattung.
5. Bleibt das Kart stehen, bleiben Sie sitzen und heben den Arm.`,
        }),
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en: 'I know these risks and rules and drive at my own decision. I pay for damage that I cause on purpose or by breaking the rules.',
          de: 'Ich kenne diese Gefahren und Regeln und fahre aus eigener Entscheidung. Für Schäden, die ich absichtlich oder durch Regelverstöße verursache, komme ich auf.',
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

import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/** Weights for the flight's papers; whether guests can stand for an hour and withstand a hard landing. */
export const hotAirBalloon: ExampleForm = {
  trade: 'hot-air-balloon',
  name: 'Balloon flight',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 8, maxMinors: 3 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('flight', { en: 'For the flight', de: 'Für die Fahrt' }, [
        {
          ...parts.ask(
            'weight',
            'number',
            { en: 'Weight in kilograms, dressed', de: 'Gewicht in Kilogramm, angezogen' },
            {
              help: {
                en: 'The pilot must calculate the load.',
                de: 'Der Pilot muss die Zuladung berechnen.',
              },
            },
          ),
          property: 'weight',
          min: 20,
          max: 160,
        },
        {
          ...parts.ask('stands', 'yesno', {
            en: 'Can you stand for 90 minutes, climb into the basket, and bend your knees for the landing?',
            de: 'Können Sie 90 Minuten stehen, in den Korb steigen und bei der Landung in die Knie gehen?',
          }),
          flag: { on: ['no'], label: 'Basket with a door' },
        },
        {
          ...parts.ask(
            'notes',
            'long',
            { en: 'Anything else for the pilot?', de: 'Noch etwas für den Piloten?' },
            { required: false },
          ),
          property: 'notes',
          max: 300,
        },
      ]),
      parts.page('risks', { en: 'Flying by balloon', de: 'Ballonfahren' }, [
        parts.read('weather', {
          en: `# The wind decides
We fly where the wind goes, and only in calm weather. The pilot cancels when in doubt, also at the last minute; you then get another date.`,
          de: `# Der Wind entscheidet
Wir fahren, wohin der Wind geht, und nur bei ruhigem Wetter. Im Zweifel sagt der Pilot ab, auch in letzter Minute; Sie bekommen dann einen neuen Termin.`,
        }),
        parts.read(
          'landing',
          {
            en: '**Landings can be hard, and the basket can tip and be dragged.** Knees bent, back to the direction of flight, both hands at the loops, nobody gets out before the pilot says so. Backs, knees and ankles are hurt most.',
            de: '**Landungen können hart sein, der Korb kann kippen und geschleift werden.** Knie gebeugt, Rücken in Fahrtrichtung, beide Hände an den Schlaufen, niemand steigt aus, bevor der Pilot es sagt. Am häufigsten trifft es Rücken, Knie und Knöchel.',
          },
          true,
        ),
        parts.read('not', {
          en: 'Please do not fly during pregnancy, after a recent operation on back, hip or knee, or with brittle bones.',
          de: 'Bitte fahren Sie nicht mit während einer Schwangerschaft, nach einer kürzlichen Operation an Rücken, Hüfte oder Knie oder mit brüchigen Knochen.',
        }),
        parts.terms({
          en: 'I know these risks, follow the pilot’s instructions, and fly by my own choice.',
          de: 'Ich kenne diese Gefahren, folge den Anweisungen des Piloten und fahre aus eigener Entscheidung mit.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

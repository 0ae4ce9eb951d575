import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/** Reach and weight determine the course; small children climb with an adult. */
export const highRopes: ExampleForm = {
  trade: 'high-ropes',
  name: 'High ropes course',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { until: '11-15' },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 6, maxMinors: 10, minorSignsFrom: 14 },
    guardian: { relationship: 'ask', age: 'tick' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('course', { en: 'For your harness', de: 'Für Ihren Gurt' }, [
        {
          ...parts.ask('weight', 'number', { en: 'Weight in kilograms', de: 'Gewicht in Kilogramm' }),
          property: 'weight',
          min: 15,
          max: 120,
        },
        {
          ...parts.choice(
            'reach',
            { en: 'How high can you reach?', de: 'Wie hoch können Sie greifen?' },
            {
              low: { en: 'Less than 1.60 m', de: 'Weniger als 1,60 m' },
              middle: { en: '1.60 m to 1.80 m', de: '1,60 m bis 1,80 m' },
              high: { en: 'More than 1.80 m', de: 'Mehr als 1,80 m' },
            },
          ),
          flag: { on: ['low'], label: 'Low course only' },
        },
        {
          ...parts.read('accompanied', {
            en: 'Children under 12 climb only with an adult on the same course: at most three children for one adult.',
            de: 'Kinder unter 12 klettern nur mit einem Erwachsenen im selben Parcours: höchstens drei Kinder je Erwachsenem.',
          }),
          when: { ageBelow: 12 },
        },
        parts.health,
        parts.healthQuestion(
          'condition',
          {
            en: 'Is there anything that could be dangerous at height, such as a heart condition, epilepsy, dizziness, a weak shoulder or pregnancy?',
            de: 'Gibt es etwas, das in der Höhe gefährlich werden kann, etwa eine Herzkrankheit, Epilepsie, Schwindel, eine schwache Schulter oder eine Schwangerschaft?',
          },
          'Talk before climbing',
        ),
      ]),
      parts.page('rules', { en: 'Risks and rules', de: 'Gefahren und Regeln' }, [
        parts.read(
          'clip',
          {
            en: 'I take part in the whole briefing, and show that I can clip in and out before I climb. **I am never without at least one carabiner on the safety line.**',
            de: 'Ich nehme an der ganzen Einweisung teil und zeige vor dem Klettern, dass ich umhängen kann. **Ich bin nie ohne mindestens einen Karabiner am Sicherungsseil.**',
          },
          true,
        ),
        parts.read('rules', {
          en: `# High up
Harness and line hold a fall; bumps, scratches, squeezed fingers and a fright remain, and whoever clips wrongly can fall to the ground.

1. Helmet closed, hair tied, scarves and jewellery off.
2. One person on an element, three on a platform.
3. Look before the zip line: go only when the landing is free.
4. Stay within the course. In thunder, follow the trainers down.
5. If you cannot go on, call. We bring you down; it happens every day.`,
          de: `# In der Höhe
Gurt und Seil halten einen Sturz; Stöße, Schürfungen, gequetschte Finger und ein Schreck bleiben, und wer falsch umhängt, kann zu Boden stürzen.

1. Helm geschlossen, Haare zusammengebunden, Schals und Schmuck ab.
2. Eine Person je Element, drei je Plattform.
3. Vor der Seilrutsche schauen: erst los, wenn die Landung frei ist.
4. Bleiben Sie im Parcours. Bei Gewitter folgen Sie den Trainern nach unten.
5. Wenn Sie nicht weiterkönnen, rufen Sie. Wir holen Sie; das kommt täglich vor.`,
        }),
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en: 'I know the rules and risks, and climb by my own choice.',
          de: 'Ich kenne Regeln und Gefahren und klettere aus eigener Entscheidung.',
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

import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/** Experience and weight determine the horse; beginners read instructions. */
export const riding: ExampleForm = {
  trade: 'riding',
  name: 'Riding stable',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { until: '12-31' },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 6, maxMinors: 6, minorSignsFrom: 14 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('rider', { en: 'You as a rider', de: 'Sie im Sattel' }, [
        {
          ...parts.choice(
            'experience',
            { en: 'How well do you ride?', de: 'Wie gut reiten Sie?' },
            {
              beginner: { en: 'Never or a few times', de: 'Noch nie oder einige Male' },
              walkTrot: { en: 'Safe in walk and trot', de: 'Sicher in Schritt und Trab' },
              canter: { en: 'Safe in canter, also outside', de: 'Sicher im Galopp, auch im Gelände' },
            },
          ),
          flag: { on: ['beginner'], label: 'Beginner' },
        },
        {
          ...parts.read('beginners', {
            en: 'You ride a quiet horse on a lead rope at first. Never stand behind a horse, approach it from the side, and speak to it.',
            de: 'Sie reiten zuerst ein ruhiges Pferd am Führstrick. Stehen Sie nie hinter einem Pferd, nähern Sie sich von der Seite und sprechen Sie es an.',
          }),
          when: { answer: 'experience', in: ['beginner'] },
        },
        {
          ...parts.ask(
            'weight',
            'number',
            { en: 'Weight in kilograms', de: 'Gewicht in Kilogramm' },
            {
              help: {
                en: 'For the right horse; ours carry up to 95 kg.',
                de: 'Für das passende Pferd; unsere tragen bis zu 95 kg.',
              },
            },
          ),
          property: 'weight',
          min: 15,
          max: 95,
        },
        parts.health,
        parts.healthQuestion(
          'condition',
          {
            en: 'Is there anything about your health that matters in the saddle, such as back trouble, dizziness, epilepsy, an allergy to horses, or are you pregnant?',
            de: 'Gibt es etwas, das im Sattel wichtig ist, etwa Rückenprobleme, Schwindel, Epilepsie, eine Pferdeallergie oder eine Schwangerschaft?',
          },
          'Talk before mounting',
        ),
        parts.healthDetails(
          'conditionDetails',
          { en: 'What should your instructor know?', de: 'Was sollte Ihre Reitlehrerin wissen?' },
          ['condition'],
        ),
      ]),
      parts.page('risks', { en: 'Horses and their risks', de: 'Pferde und ihre Gefahren' }, [
        parts.read(
          'risks',
          {
            en: `# A horse decides, too
Horses are large animals that flee when frightened. **Even a calm one may shy, buck, kick, bite or run, without warning.** Falls can break bones and injure head and spine, with a helmet, too.

- Helmet and sturdy shoes with a heel are required. We lend helmets.
- Stay behind the leader, keep one horse’s length apart, and do not overtake.
- Feed nothing, and enter no box, without our staff.`,
            de: `# Ein Pferd entscheidet mit
Pferde sind große Fluchttiere. **Auch ein ruhiges kann ohne Vorwarnung scheuen, buckeln, treten, beißen oder losrennen.** Stürze können zu Knochenbrüchen, Kopf- und Rückenverletzungen führen, auch mit Helm.

- Helm und feste Schuhe mit Absatz sind Pflicht. Helme leihen wir.
- Bleiben Sie hinter der Führung, eine Pferdelänge Abstand, nicht überholen.
- Nichts füttern und keine Box betreten ohne unser Personal.`,
          },
          true,
        ),
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en: 'I have described my experience truthfully, know these risks and ride at my own decision.',
          de: 'Ich habe meine Erfahrung richtig angegeben, kenne diese Gefahren und reite aus eigener Entscheidung.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

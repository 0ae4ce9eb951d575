import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/** White water: swimming and health first, then the risks with initials. */
export const rafting: ExampleForm = {
  trade: 'rafting',
  name: 'Rafting',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: {
      adults: true,
      minors: 'guardian',
      majority: 18,
      minAge: 8,
      maxMinors: 10,
      minorSignsFrom: 14,
    },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('water', { en: 'You and the water', de: 'Sie und das Wasser' }, [
        {
          ...parts.choice(
            'swimming',
            { en: 'How well can you swim?', de: 'Wie gut können Sie schwimmen?' },
            {
              well: { en: 'Well, also in moving water', de: 'Gut, auch in bewegtem Wasser' },
              some: { en: 'A few lengths of a pool', de: 'Einige Bahnen im Schwimmbad' },
              not: { en: 'I cannot swim', de: 'Ich kann nicht schwimmen' },
            },
          ),
          flag: { on: ['not'], label: 'Cannot swim' },
        },
        {
          ...parts.read('nonSwimmers', {
            en:
              '**Please tell your guide before the start that you cannot swim.** You get a life jacket for non-swimmers ' +
              'and a seat beside the guide. On high water days we may ask you to take another trip.',
            de:
              '**Bitte sagen Sie Ihrem Guide vor dem Start, dass Sie nicht schwimmen können.** Sie bekommen eine ' +
              'Schwimmweste für Nichtschwimmer und einen Platz neben dem Guide. Bei Hochwasser bitten wir Sie ' +
              'gegebenenfalls, eine andere Tour zu machen.',
          }),
          when: { answer: 'swimming', in: ['not'] },
        },
        {
          ...parts.ask(
            'weight',
            'number',
            { en: 'Weight in kilograms', de: 'Gewicht in Kilogramm' },
            {
              required: false,
              help: {
                en: 'For the right size of life jacket and wetsuit.',
                de: 'Für die passende Schwimmweste und den Neoprenanzug.',
              },
            },
          ),
          property: 'weight',
          min: 15,
          max: 160,
        },
        parts.health,
        parts.healthQuestion(
          'condition',
          {
            en:
              'Do you have a condition that matters in cold, moving water, such as asthma, epilepsy, a heart condition, ' +
              'a recent operation, or are you pregnant?',
            de:
              'Gibt es etwas, das in kaltem, bewegtem Wasser wichtig ist, etwa Asthma, Epilepsie, eine Herzkrankheit, ' +
              'eine kürzliche Operation oder eine Schwangerschaft?',
          },
          'Talk before the start',
        ),
        parts.healthDetails(
          'conditionDetails',
          { en: 'What should your guide know?', de: 'Was sollte Ihr Guide wissen?' },
          ['condition'],
        ),
      ]),
      parts.page('risks', { en: 'The river and its risks', de: 'Der Fluss und seine Gefahren' }, [
        parts.read(
          'risks',
          {
            en: `# What can happen
Rafting is a sport in nature. **Its dangers cannot all be removed, however careful we are.** Among them are:

- falling out of the raft and swimming through rapids
- cold water, which weakens even good swimmers within minutes
- hitting rocks, paddles or other people
- being held under water by currents, branches or the raft
- slipping on wet banks when getting in and out

They can lead to bruises, broken bones, hypothermia and, rarely, drowning.`,
            de: `# Was passieren kann
Rafting ist ein Sport in der Natur. **Seine Gefahren lassen sich auch mit aller Sorgfalt nicht ganz ausschließen.** Dazu gehören:

- aus dem Boot zu fallen und durch Stromschnellen zu schwimmen
- kaltes Wasser, das auch gute Schwimmer in Minuten schwächt
- der Aufprall auf Felsen, Paddel oder andere Personen
- von Strömung, Ästen oder dem Boot unter Wasser gehalten zu werden
- auf nassen Ufern beim Ein- und Aussteigen auszurutschen

Sie können zu Prellungen, Knochenbrüchen, Unterkühlung und in seltenen Fällen zum Ertrinken führen.`,
          },
          true,
        ),
        parts.read('rules', {
          en: `# What we do, and what you do
We check the river each morning, give you tested equipment and a guide with a valid licence, and cancel where the water is too high.

1. Wear helmet and life jacket, closed, from the briefing until you are off the river.
2. Follow your guide's commands at once.
3. Do not take part after alcohol or drugs, or if you feel ill.
4. Tell your guide about anything that changes during the trip.

A guide may end the trip for anyone who endangers themselves or others.`,
          de: `# Was wir tun und was Sie tun
Wir prüfen den Fluss jeden Morgen, geben Ihnen geprüfte Ausrüstung und einen Guide mit gültiger Lizenz und sagen ab, wenn das Wasser zu hoch ist.

1. Tragen Sie Helm und Schwimmweste, geschlossen, von der Einweisung bis zum Verlassen des Flusses.
2. Folgen Sie den Kommandos Ihres Guides sofort.
3. Nehmen Sie nicht teil nach Alkohol oder Drogen oder wenn Sie sich krank fühlen.
4. Sagen Sie Ihrem Guide, wenn sich unterwegs etwas ändert.

Ein Guide kann die Tour für jeden beenden, der sich oder andere gefährdet.`,
        }),
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en:
            'I know these risks and take part by my own choice. I accept that the operator is not liable for harm that comes ' +
            'from the ordinary dangers of the river.',
          de:
            'Ich kenne diese Gefahren und nehme aus freier Entscheidung teil. Ich akzeptiere, dass der Veranstalter nicht für ' +
            'Schäden haftet, die aus den gewöhnlichen Gefahren des Flusses entstehen.',
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

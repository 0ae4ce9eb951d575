import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'de');

/** A guided tour with a rented bike: one form for both, with conditions. */
export const mountainBike: ExampleForm = {
  trade: 'mountain-bike',
  name: 'Mountain bike tour and rental',
  content: {
    languages: parts.languages,
    binding: 'de',
    activities: [],
    validity: { days: 180 },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 10, maxMinors: 5, minorSignsFrom: 14 },
    guardian: { relationship: 'require', age: 'tick' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('bike', { en: 'You and the bike', de: 'Sie und das Rad' }, [
        parts.choice(
          'bikeFrom',
          { en: 'Which bike do you ride?', de: 'Welches Rad fahren Sie?' },
          {
            own: { en: 'My own', de: 'Mein eigenes' },
            rented: { en: 'One of yours', de: 'Eines von Ihnen' },
            electric: { en: 'One of yours, electric', de: 'Eines von Ihnen, elektrisch' },
          },
        ),
        {
          ...parts.ask('height', 'number', { en: 'Height in centimetres', de: 'Größe in Zentimetern' }),
          property: 'height',
          min: 130,
          max: 210,
          when: { answer: 'bikeFrom', in: ['rented', 'electric'] },
        },
        parts.choice(
          'skill',
          { en: 'Which trails do you ride?', de: 'Welche Wege fahren Sie?' },
          {
            gravel: { en: 'Gravel roads', de: 'Schotterwege' },
            easy: { en: 'Easy single trails', de: 'Leichte Singletrails' },
            steep: { en: 'Steep trails with steps', de: 'Steile Trails mit Stufen' },
          },
        ),
        {
          ...parts.read('rental', {
            en: `## Rental
The bike is checked when you take it: tell us what you see. You pay for damage beyond ordinary wear, and for a bike that was stolen unlocked. Changing battery, motor or brakes is not allowed.`,
            de: `## Miete
Das Rad wird bei der Übergabe geprüft: Sagen Sie uns, was Ihnen auffällt. Sie zahlen Schäden über normale Abnutzung hinaus und ein Rad, das unverschlossen gestohlen wurde. Änderungen an Akku, Motor oder Bremsen sind nicht erlaubt.`,
          }),
          when: { answer: 'bikeFrom', in: ['rented', 'electric'] },
        },
        {
          ...parts.read('own', {
            en: 'Your own bike needs working brakes in front and behind, and tyres with profile. The guide may refuse one that is not safe.',
            de: 'Ihr eigenes Rad braucht funktionierende Bremsen vorn und hinten und Reifen mit Profil. Der Guide kann ein unsicheres Rad ablehnen.',
          }),
          when: { answer: 'bikeFrom', in: ['own'] },
        },
      ]),
      parts.page('risks', { en: 'Risks and rules', de: 'Gefahren und Regeln' }, [
        parts.read(
          'risks',
          {
            en: `# Trails are not roads
Roots, wet stones, loose ground, steep edges, animals and other people make falls part of this sport. They can injure collar bones, wrists, face and head, and far from a road help takes time.

1. Helmet always; gloves and glasses if you have them.
2. Ride so that you can stop within what you see.
3. Walk where you are unsure. Nobody will mind.
4. Hikers and horses go first.`,
            de: `# Trails sind keine Straßen
Wurzeln, nasse Steine, loser Boden, Abbrüche, Tiere und andere Menschen machen Stürze zu einem Teil dieses Sports. Schlüsselbein, Handgelenke, Gesicht und Kopf können verletzt werden, und fern der Straße dauert Hilfe.

1. Immer mit Helm; Handschuhe und Brille, wenn Sie welche haben.
2. Fahren Sie so, dass Sie auf Sicht anhalten können.
3. Schieben Sie, wo Sie unsicher sind. Das stört niemanden.
4. Wanderer und Pferde haben Vorrang.`,
          },
          true,
        ),
        parts.terms({
          en: 'I know these risks, choose my speed and line myself, and ride at my own decision.',
          de: 'Ich kenne diese Gefahren, wähle Tempo und Linie selbst und fahre aus eigener Entscheidung.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

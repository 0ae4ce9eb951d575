import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'fr');

/** Adults only, each risk with initials, a declaration of health. */
export const tandemSkydive: ExampleForm = {
  trade: 'tandem-skydive',
  name: 'Tandem skydive',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'no', majority: 18, minAge: 18, maxMinors: 0 },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('body', { en: 'Weight and health', fr: 'Poids et santé' }, [
        {
          ...parts.ask(
            'weight',
            'number',
            { en: 'Weight in kilograms, dressed', fr: 'Poids en kilogrammes, habillé' },
            {
              help: {
                en: 'We weigh everybody before the flight. The limit is 95 kg.',
                fr: 'Nous pesons tout le monde avant le vol. La limite est de 95 kg.',
              },
            },
          ),
          property: 'weight',
          min: 40,
          max: 95,
        },
        parts.health,
        parts.healthQuestion(
          'heartOrLungs',
          {
            en: 'Do you have a disease of the heart, circulation or lungs, or high blood pressure?',
            fr: 'Avez-vous une maladie du cœur, de la circulation ou des poumons, ou de l’hypertension ?',
          },
          'Doctor’s note',
        ),
        parts.healthQuestion(
          'spine',
          {
            en: 'Have you injured or had surgery on your back, neck, shoulders, hips or knees?',
            fr: 'Avez-vous été blessé ou opéré au dos, au cou, aux épaules, aux hanches ou aux genoux ?',
          },
          'Doctor’s note',
        ),
        parts.healthQuestion(
          'faints',
          {
            en: 'Do you have epilepsy, fainting fits or diabetes, or are you pregnant?',
            fr: 'Avez-vous de l’épilepsie, des évanouissements ou du diabète, ou êtes-vous enceinte ?',
          },
          'Do not fly yet',
        ),
        parts.healthQuestion(
          'dived',
          {
            en: 'Have you been diving with compressed air in the last 24 hours?',
            fr: 'Avez-vous plongé avec de l’air comprimé dans les dernières 24 heures ?',
          },
          'Do not fly yet',
          7,
        ),
        parts.healthDetails('healthDetails', { en: 'Please describe it.', fr: 'Veuillez préciser.' }, [
          'heartOrLungs',
          'spine',
          'faints',
          'dived',
        ]),
        {
          ...parts.ask('sober', 'yesno', {
            en: 'Have you had no alcohol or drugs since yesterday evening?',
            fr: 'N’avez-vous pris ni alcool ni drogue depuis hier soir ?',
          }),
          flag: { on: ['no'], label: 'Not fit to fly' },
        },
      ]),
      parts.page('risks', { en: 'The risks', fr: 'Les risques' }, [
        parts.read(
          'death',
          {
            en: '**Skydiving can injure me severely or kill me,** although parachutes are packed with care and there is a second one.',
            fr: '**Le saut en parachute peut me blesser gravement ou me tuer,** même si les parachutes sont pliés avec soin et qu’il y en a un second.',
          },
          true,
        ),
        parts.read(
          'landing',
          {
            en: 'Landings can be hard, or outside the field. Legs that are not lifted in time break.',
            fr: 'Les atterrissages peuvent être durs ou hors du terrain. Des jambes non levées à temps se cassent.',
          },
          true,
        ),
        parts.read(
          'weather',
          {
            en: 'Wind and clouds decide. A jump may be delayed by hours, or put off to another day.',
            fr: 'Le vent et les nuages décident. Un saut peut être retardé de plusieurs heures ou reporté à un autre jour.',
          },
          true,
        ),
        parts.read('follow', {
          en: '# What I do\n- I take part in the training on the ground.\n- I follow the tandem master’s instructions, in the aircraft and in the air.\n- I carry nothing loose: no camera, phone, jewellery or dentures.',
          fr: '# Ce que je fais\n- Je participe à la formation au sol.\n- Je suis les instructions du moniteur, dans l’avion et en vol.\n- Je n’emporte rien de libre : ni caméra, ni téléphone, ni bijoux, ni prothèse.',
        }),
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en: 'I have answered truthfully, know these risks, and jump of my own free will.',
          fr: 'J’ai répondu sincèrement, je connais ces risques et je saute de mon plein gré.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest'),
    ],
  },
};

import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'es');

/** For children only: a guardian who does not take part signs, says who may collect the child, and what to know. */
export const surfCamp: ExampleForm = {
  trade: 'surf-camp',
  name: 'Surf camp for children',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { days: 30 },
    reuse: 'version',
    people: { adults: false, minors: 'guardian', majority: 18, minAge: 7, maxAge: 17, maxMinors: 5 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('child', { en: 'Your child', es: 'Su hijo o hija' }, [
        {
          ...parts.choice(
            'swimming',
            { en: 'How well does your child swim?', es: '¿Cómo nada su hijo o hija?' },
            {
              sea: { en: 'Well, also in the sea', es: 'Bien, también en el mar' },
              pool: { en: '50 metres in a pool', es: '50 metros en piscina' },
              not: { en: 'Not yet', es: 'Todavía no sabe' },
            },
          ),
          flag: { on: ['not'], label: 'Cannot swim' },
        },
        {
          ...parts.read('shore', {
            en: 'Children who cannot swim stay in the first group: in water up to the hip, with a vest, and one teacher for three children.',
            es: 'Quien no sabe nadar se queda en el primer grupo: con agua hasta la cadera, con chaleco y un monitor para cada tres niños.',
          }),
          when: { answer: 'swimming', in: ['not'] },
        },
        {
          ...parts.choice(
            'size',
            { en: 'Size of the wetsuit', es: 'Talla del neopreno' },
            {
              s: { en: 'Up to 130 cm', es: 'Hasta 130 cm' },
              m: { en: '130 to 150 cm', es: 'De 130 a 150 cm' },
              l: { en: 'Above 150 cm', es: 'Más de 150 cm' },
            },
          ),
        },
        {
          ...parts.ask('collectedBy', 'long', {
            en: 'Who may collect your child? Full names, please.',
            es: '¿Quién puede recoger a su hijo o hija? Nombres completos, por favor.',
          }),
          max: 300,
          per: 'signer',
        },
        {
          ...parts.ask('goesAlone', 'yesno', {
            en: 'May your child go home alone?',
            es: '¿Puede volver a casa sin acompañante?',
          }),
          flag: { on: ['no'], label: 'Is collected' },
        },
      ]),
      parts.page('health', { en: 'Health and food', es: 'Salud y comida' }, [
        parts.health,
        parts.healthQuestion(
          'allergies',
          {
            en: 'Does your child have an allergy, or need medicine during the day?',
            es: '¿Tiene alergias o necesita medicinas durante el día?',
          },
          'Allergy or medicine',
        ),
        parts.healthQuestion(
          'condition',
          {
            en: 'Is there anything else our teachers should know, such as asthma, epilepsy, ear trouble or fears?',
            es: '¿Hay algo más que los monitores deban saber, como asma, epilepsia, problemas de oído o miedos?',
          },
          'Teachers: read',
        ),
        parts.healthDetails(
          'healthDetails',
          { en: 'Please describe it, and what to do.', es: 'Descríbalo, y qué hay que hacer.' },
          ['allergies', 'condition'],
        ),
        {
          ...parts.ask('firstAid', 'yesno', {
            en: 'In an emergency, may we have your child treated by a doctor if we cannot reach you?',
            es: 'En una urgencia, ¿podemos llevar a su hijo o hija al médico si no logramos hablar con usted?',
          }),
          per: 'signer',
          flag: { on: ['no'], label: 'No treatment without a call' },
        },
      ]),
      parts.page('risks', { en: 'Risks and rules', es: 'Riesgos y normas' }, [
        parts.read('risks', {
          en: `# The sea
Waves, currents, boards, sun and jellyfish can hurt, and the sea can drown. Our teachers are trained lifeguards, one for at most six children, and stop when flags or waves say so.

- Children enter the water only with a teacher.
- Long hair is tied, jewellery stays at home, sun cream is put on before.
- Who does not listen pauses on the beach; if it happens again, we call you.`,
          es: `# El mar
Olas, corrientes, tablas, sol y medusas pueden hacer daño, y en el mar uno puede ahogarse. Nuestros monitores son socorristas, uno para seis niños como máximo, y paran cuando lo indican las banderas o las olas.

- Los niños entran al agua solo con un monitor.
- Pelo largo recogido, sin joyas, con crema solar ya puesta.
- Quien no escucha descansa en la playa; si se repite, le llamamos.`,
        }),
        parts.terms({
          en: 'I know these risks, have explained the rules to my child, and agree that my child takes part.',
          es: 'Conozco estos riesgos, he explicado las normas a mi hijo o hija y acepto que participe.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guardian'),
    ],
  },
};

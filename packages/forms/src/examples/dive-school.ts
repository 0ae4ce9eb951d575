import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'es');
const keepDays = 365;

const lungs = parts.healthQuestion(
  'lungs',
  {
    en: 'Have you ever had asthma, a collapsed lung, or surgery of the chest?',
    es: '¿Ha tenido alguna vez asma, un neumotórax o una operación de tórax?',
  },
  'Medical: ask',
  keepDays,
);
const heart = parts.healthQuestion(
  'heart',
  {
    en: 'Do you have heart disease or high blood pressure, or pain in the chest when you exert yourself?',
    es: '¿Tiene alguna enfermedad del corazón, tensión alta o dolor en el pecho al hacer esfuerzos?',
  },
  'Medical: ask',
  keepDays,
);
const ears = parts.healthQuestion(
  'ears',
  {
    en: 'Do you have trouble with your ears or sinuses, or difficulty equalizing the pressure?',
    es: '¿Tiene problemas de oídos o de senos nasales, o dificultad para compensar la presión?',
  },
  'Medical: ask',
  keepDays,
);
const consciousness = parts.healthQuestion(
  'consciousness',
  {
    en: 'Have you had epilepsy, fainting, severe migraine, or a head injury in the last five years?',
    es: '¿Ha tenido epilepsia, desmayos, migrañas fuertes o una lesión en la cabeza en los últimos cinco años?',
  },
  'Medical: ask',
  keepDays,
);
const diabetes = parts.healthQuestion(
  'diabetes',
  { en: 'Do you have diabetes?', es: '¿Tiene diabetes?' },
  'Medical: ask',
  keepDays,
);
const medicine = parts.healthQuestion(
  'medicine',
  {
    en: 'Do you take medicine regularly, other than for birth control or against malaria?',
    es: '¿Toma medicamentos de forma habitual, aparte de anticonceptivos o contra la malaria?',
  },
  'Medical: ask',
  keepDays,
);
const pregnant = parts.healthQuestion(
  'pregnant',
  { en: 'Are you pregnant, or might you be?', es: '¿Está o podría estar embarazada?' },
  'Medical: ask',
  keepDays,
);
const recent = parts.healthQuestion(
  'recent',
  {
    en: 'Have you had surgery or a serious illness in the last year, or a cold today?',
    es: '¿Ha tenido una operación o una enfermedad grave en el último año, o está hoy resfriado?',
  },
  'Medical: ask',
  keepDays,
);
const questions = [lungs, heart, ears, consciousness, diabetes, medicine, pregnant, recent];
const anyYes = { any: questions.map(({ id }) => ({ answer: id, in: ['yes'] })) };

/** A medical questionnaire, encrypted and kept for a year; the Spanish text is a convenience translation. */
export const diveSchool: ExampleForm = {
  trade: 'dive-school',
  name: 'Dive school',
  content: {
    languages: parts.languages,
    binding: 'en',
    activities: [],
    validity: { days: 365 },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 10, maxMinors: 4, minorSignsFrom: 12 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(
        {
          ...parts.ask('country', 'country', { en: 'Country of residence', es: 'País de residencia' }),
          per: 'signer',
        },
        ...parts.emergencyContact(),
      ),
      parts.page('diving', { en: 'Your diving', es: 'Su buceo' }, [
        {
          ...parts.choice(
            'certification',
            { en: 'Your highest certification', es: 'Su máxima titulación' },
            {
              none: { en: 'None yet', es: 'Todavía ninguna' },
              open: { en: 'Open water diver', es: 'Buceador en aguas abiertas' },
              advanced: { en: 'Advanced or rescue diver', es: 'Avanzado o de rescate' },
              professional: { en: 'Divemaster or instructor', es: 'Guía o instructor' },
            },
          ),
          flag: { on: ['none'], label: 'Beginner' },
        },
        {
          ...parts.ask('dives', 'number', {
            en: 'How many dives have you logged?',
            es: '¿Cuántas inmersiones ha registrado?',
          }),
          min: 0,
          max: 20_000,
          when: { not: { answer: 'certification', in: ['none'] } },
        },
        {
          ...parts.ask(
            'lastDive',
            'date',
            { en: 'When did you last dive?', es: '¿Cuándo buceó por última vez?' },
            { required: false, help: { en: 'Roughly is enough.', es: 'Basta una fecha aproximada.' } },
          ),
          when: { not: { answer: 'certification', in: ['none'] } },
        },
        {
          ...parts.ask('insured', 'yesno', {
            en: 'Do you have an insurance that covers diving accidents and a decompression chamber?',
            es: '¿Tiene un seguro que cubra accidentes de buceo y cámara hiperbárica?',
          }),
          flag: { on: ['no'], label: 'Offer insurance' },
        },
      ]),
      parts.page('health', { en: 'Your health', es: 'Su salud' }, [
        parts.read('whyHealth', {
          en: 'Under water, conditions that hardly matter on land can be dangerous. **Answer truthfully: a yes does not always mean that you cannot dive.** It means that a doctor should say so first.',
          es: 'Bajo el agua, problemas que apenas importan en tierra pueden ser peligrosos. **Responda con sinceridad: un sí no siempre significa que no pueda bucear.** Significa que antes debe decirlo un médico.',
        }),
        parts.health,
        ...questions,
        {
          ...parts.read('doctor', {
            en: 'Because of your answers **you need a doctor’s approval before you dive**. Please bring it, or speak to us before you travel: we know doctors who examine divers.',
            es: 'Por sus respuestas **necesita la aprobación de un médico antes de bucear**. Tráigala o hable con nosotros antes de viajar: conocemos médicos que examinan a buceadores.',
          }),
          when: anyYes,
        },
        parts.healthDetails(
          'healthDetails',
          { en: 'Please tell us more, in a few words.', es: 'Cuéntenos más, en pocas palabras.' },
          ['lungs', 'heart', 'ears', 'consciousness', 'diabetes', 'medicine', 'pregnant', 'recent'],
          keepDays,
        ),
      ]),
      parts.page('risks', { en: 'Risks and good practice', es: 'Riesgos y buenas prácticas' }, [
        parts.read(
          'risks',
          {
            en: `# Risks of diving
Breathing compressed air has dangers that no equipment removes: decompression sickness, injuries of lungs and ears by pressure, running out of air, drowning. Treatment in a decompression chamber may be hours away.`,
            es: `# Riesgos del buceo
Respirar aire comprimido tiene peligros que ningún equipo elimina: enfermedad descompresiva, lesiones de pulmones y oídos por la presión, quedarse sin aire, ahogamiento. El tratamiento en una cámara hiperbárica puede estar a horas de distancia.`,
          },
          true,
        ),
        parts.read('practice', {
          en: `## I will
1. dive only within my training, with a buddy, and stay with the group
2. check my equipment and my buddy’s before each dive
3. ascend slowly, breathe all the time, and make the safety stop
4. not dive within eight hours after alcohol, and not fly within 18 hours after diving
5. tell the guide at once if I feel unwell, before, during or after a dive`,
          es: `## Me comprometo a
1. bucear solo dentro de mi formación, con un compañero y junto al grupo
2. revisar mi equipo y el de mi compañero antes de cada inmersión
3. ascender despacio, respirar siempre y hacer la parada de seguridad
4. no bucear en las ocho horas siguientes a tomar alcohol, ni volar en las 18 horas siguientes a bucear
5. avisar enseguida al guía si me siento mal antes, durante o después de una inmersión`,
        }),
      ]),
      parts.page('agree', parts.consentsTitle, [
        parts.terms({
          en: 'I have answered truthfully, know these risks and accept them. I dive at my own decision.',
          es: 'He respondido con la verdad, conozco estos riesgos y los acepto. Buceo por decisión propia.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

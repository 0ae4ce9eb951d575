import type { ExampleForm } from './example-form.ts';
import { partsIn } from './parts.ts';

const parts = partsIn('en', 'es');

/** Drivers show their license in a photo; passengers and minors do not. */
export const quadTour: ExampleForm = {
  trade: 'quad-tour',
  name: 'Quad tour',
  content: {
    languages: parts.languages,
    activities: [],
    validity: { visit: true },
    reuse: 'version',
    people: { adults: true, minors: 'guardian', majority: 18, minAge: 12, maxMinors: 2 },
    guardian: { relationship: 'require', age: 'birthDate' },
    pages: [
      parts.aboutYou(...parts.emergencyContact()),
      parts.page('driving', { en: 'Driver or passenger', es: 'Conductor o acompañante' }, [
        {
          ...parts.choice(
            'seat',
            { en: 'Do you drive?', es: '¿Va a conducir?' },
            {
              passenger: { en: 'No, I ride along', es: 'No, voy de acompañante' },
              driver: { en: 'Yes', es: 'Sí' },
            },
          ),
          when: { not: { ageBelow: 18 } },
        },
        {
          ...parts.ask('licenceCountry', 'country', {
            en: 'Country that issued your driving licence',
            es: 'País que expidió su permiso de conducir',
          }),
          when: { answer: 'seat', in: ['driver'] },
        },
        {
          ...parts.ask('licence', 'photo', {
            en: 'Photo of your driving licence, front side',
            es: 'Foto de su permiso de conducir, anverso',
          }),
          when: { answer: 'seat', in: ['driver'] },
        },
        {
          ...parts.ask('licenceUntil', 'date', {
            en: 'Your licence is valid until',
            es: 'Su permiso es válido hasta',
          }),
          when: { answer: 'seat', in: ['driver'] },
        },
        {
          ...parts.read(
            'deductible',
            {
              en: 'You drive an insured vehicle. **You pay the first 800 € of damage to it,** and all of it after alcohol, drugs, or leaving the route.',
              es: 'Conduce un vehículo asegurado. **Usted paga los primeros 800 € de daños,** y todo el daño tras alcohol o drogas o si abandona la ruta.',
            },
            true,
          ),
          when: { answer: 'seat', in: ['driver'] },
        },
      ]),
      parts.page('risks', { en: 'Risks and rules', es: 'Riesgos y normas' }, [
        parts.read('risks', {
          en: `# Quads turn over
They are heavy, narrow and stiff to steer. On slopes, in ruts and in bends they can turn over and crush driver and passenger. Dust, heat and branches do the rest.

1. Helmet closed, long trousers, closed shoes, goggles.
2. Keep the order and three lengths of distance; no races, no jumps.
3. Stop at every crossing until the guide waves.
4. Passengers hold on with both hands and keep their feet on the rests.
5. No alcohol before or during the tour.`,
          es: `# Los quads vuelcan
Son pesados, estrechos y duros de dirección. En pendientes, roderas y curvas pueden volcar y aplastar a quienes van encima. Polvo, calor y ramas hacen el resto.

1. Casco abrochado, pantalón largo, calzado cerrado y gafas.
2. Mantenga el orden y tres largos de distancia; ni carreras ni saltos.
3. Pare en cada cruce hasta que el guía dé la señal.
4. El acompañante se sujeta con ambas manos y apoya los pies.
5. Nada de alcohol antes ni durante la ruta.`,
        }),
        parts.terms({
          en: 'What I said about my licence is true. I know these risks and take part by my own choice.',
          es: 'Lo que he dicho de mi permiso es cierto. Conozco estos riesgos y participo por decisión propia.',
        }),
        parts.electronic,
        parts.privacy,
        parts.photos,
      ]),
      parts.signatures('guest', 'guardian'),
    ],
  },
};

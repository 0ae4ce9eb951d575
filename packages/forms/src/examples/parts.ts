import type { AgreeItem, AskItem, ConsentAct, Option, Page, SignItem, Text, TextItem } from '../content.ts';

/** A text in English, and in the example's other languages. */
export type ExampleText = { readonly en: string } & Readonly<Partial<Record<'de' | 'fr' | 'es', string>>>;

interface AskOptions {
  readonly required?: boolean;
  readonly help?: ExampleText;
}

const words = {
  aboutYou: {
    en: 'About you',
    de: 'Ihre Angaben',
    fr: 'Vos coordonnées',
    es: 'Sus datos',
  },
  name: {
    en: 'First and last name',
    de: 'Vor- und Nachname',
    fr: 'Prénom et nom',
    es: 'Nombre y apellidos',
  },
  dateOfBirth: {
    en: 'Date of birth',
    de: 'Geburtsdatum',
    fr: 'Date de naissance',
    es: 'Fecha de nacimiento',
  },
  email: {
    en: 'Email address',
    de: 'E-Mail-Adresse',
    fr: 'Adresse e-mail',
    es: 'Correo electrónico',
  },
  phoneNumber: {
    en: 'Mobile phone number',
    de: 'Handynummer',
    fr: 'Numéro de téléphone portable',
    es: 'Teléfono móvil',
  },
  emergencyName: {
    en: 'Whom should we call in an emergency?',
    de: 'Wen sollen wir im Notfall anrufen?',
    fr: 'Qui devons-nous appeler en cas d’urgence ?',
    es: '¿A quién debemos llamar en caso de emergencia?',
  },
  emergencyHelp: {
    en: 'Someone who does not take part today.',
    de: 'Jemand, der heute nicht teilnimmt.',
    fr: 'Une personne qui ne participe pas aujourd’hui.',
    es: 'Alguien que no participe hoy.',
  },
  emergencyPhone: {
    en: 'Their phone number',
    de: 'Telefonnummer dieser Person',
    fr: 'Son numéro de téléphone',
    es: 'Su número de teléfono',
  },
  consents: {
    en: 'Read and agree',
    de: 'Lesen und zustimmen',
    fr: 'Lire et accepter',
    es: 'Leer y aceptar',
  },
  electronic: {
    en:
      'I agree to sign this document electronically. My electronic signature has the same effect as a handwritten one. ' +
      'If I would rather not sign electronically, I ask the team. I can get a copy of what I signed at any time, for as ' +
      'long as it is kept.',
    de:
      'Ich bin einverstanden, dieses Dokument elektronisch zu unterschreiben. Meine elektronische Unterschrift gilt wie ' +
      'eine handschriftliche. Wenn ich nicht elektronisch unterschreiben möchte, frage ich das Team. Ich kann jederzeit ' +
      'eine Kopie von dem erhalten, was ich unterschrieben habe, solange es aufbewahrt wird.',
    fr:
      'J’accepte de signer ce document par voie électronique. Ma signature électronique a le même effet qu’une signature ' +
      'manuscrite. Si je préfère ne pas signer par voie électronique, je m’adresse à l’équipe. Je peux obtenir à tout ' +
      'moment une copie de ce que j’ai signé, tant que le document est conservé.',
    es:
      'Acepto firmar este documento electrónicamente. Mi firma electrónica tiene el mismo efecto que una manuscrita. Si ' +
      'prefiero no firmar electrónicamente, pregunto al equipo. Puedo obtener en todo momento una copia de lo que he ' +
      'firmado, mientras se conserve.',
  },
  privacy: {
    en:
      'I have read how my data is used: to run this activity safely, to reach my emergency contact, and to show later ' +
      'what was agreed. It is kept only as long as the law and possible claims require, and is not sold.',
    de:
      'Ich habe gelesen, wofür meine Daten verwendet werden: um die Aktivität sicher durchzuführen, meinen Notfallkontakt ' +
      'zu erreichen und später zeigen zu können, was vereinbart wurde. Sie werden nur so lange aufbewahrt, wie das Gesetz ' +
      'und mögliche Ansprüche es verlangen, und nicht verkauft.',
    fr:
      'J’ai lu à quoi servent mes données : organiser l’activité en sécurité, joindre mon contact d’urgence et pouvoir ' +
      'montrer plus tard ce qui a été convenu. Elles ne sont conservées que le temps exigé par la loi et par d’éventuelles ' +
      'réclamations, et ne sont pas vendues.',
    es:
      'He leído para qué se usan mis datos: realizar la actividad con seguridad, avisar a mi contacto de emergencia y poder ' +
      'demostrar más adelante lo que se acordó. Se conservan solo el tiempo que exijan la ley y posibles reclamaciones, y ' +
      'no se venden.',
  },
  health: {
    en:
      'I agree that my answers about health are used to decide whether and how I can take part safely. They are stored ' +
      'encrypted, only staff who need them see them, and they are deleted early. Without this consent we cannot accept ' +
      'these answers; please talk to us instead.',
    de:
      'Ich willige ein, dass meine Angaben zur Gesundheit verwendet werden, um zu entscheiden, ob und wie ich sicher ' +
      'teilnehmen kann. Sie werden verschlüsselt gespeichert, nur von denen gesehen, die sie brauchen, und früh gelöscht. ' +
      'Ohne diese Einwilligung können wir die Angaben nicht annehmen; bitte sprechen Sie uns dann an.',
    fr:
      'J’accepte que mes réponses sur ma santé servent à décider si et comment je peux participer en sécurité. Elles sont ' +
      'stockées chiffrées, vues seulement par les personnes qui en ont besoin, et supprimées tôt. Sans cet accord, nous ne ' +
      'pouvons pas accepter ces réponses ; parlez-nous-en.',
    es:
      'Acepto que mis respuestas sobre salud se usen para decidir si puedo participar con seguridad y cómo. Se guardan ' +
      'cifradas, solo las ve quien las necesita y se borran pronto. Sin este consentimiento no podemos aceptar estas ' +
      'respuestas; hable con nosotros.',
  },
  photos: {
    en: 'Photos and videos in which I can be recognized may be used on the operator’s website and social media.',
    de:
      'Fotos und Videos, auf denen ich zu erkennen bin, dürfen auf der Website und in sozialen Medien des Veranstalters ' +
      'gezeigt werden.',
    fr:
      'Les photos et vidéos où l’on me reconnaît peuvent être publiées sur le site et les réseaux sociaux de ' +
      'l’organisateur.',
    es: 'Las fotos y los vídeos en los que se me reconozca pueden publicarse en la web y las redes sociales del organizador.',
  },
  marketing: {
    en: 'Send me news and offers by email. I can unsubscribe at any time.',
    de: 'Senden Sie mir Neuigkeiten und Angebote per E-Mail. Ich kann mich jederzeit abmelden.',
    fr: 'Envoyez-moi des nouvelles et des offres par e-mail. Je peux me désabonner à tout moment.',
    es: 'Envíenme novedades y ofertas por correo electrónico. Puedo darme de baja en cualquier momento.',
  },
  liability: {
    en:
      'Nothing in this document limits liability that the law does not allow to be limited, such as for intent, gross ' +
      'negligence, or injury caused by a breach of duty.',
    de:
      'Eine Haftung, die das Gesetz nicht zu beschränken erlaubt, etwa für Vorsatz, grobe Fahrlässigkeit und Verletzungen ' +
      'durch eine Pflichtverletzung, bleibt unberührt.',
    fr:
      'Rien dans ce document ne limite une responsabilité que la loi interdit de limiter, par exemple en cas de faute ' +
      'intentionnelle, de faute lourde ou de dommage corporel dû à un manquement.',
    es:
      'Nada en este documento limita la responsabilidad que la ley no permite limitar, como en caso de dolo, negligencia ' +
      'grave o lesiones causadas por el incumplimiento de un deber.',
  },
  signature: { en: 'Signature', de: 'Unterschrift', fr: 'Signature', es: 'Firma' },
  guestSignature: {
    en: 'I have read and understood this document, had the chance to ask questions, and sign it of my own free will.',
    de: 'Ich habe dieses Dokument gelesen und verstanden, konnte Fragen stellen und unterschreibe freiwillig.',
    fr: 'J’ai lu et compris ce document, j’ai pu poser des questions et je le signe librement.',
    es: 'He leído y entendido este documento, he podido hacer preguntas y lo firmo libremente.',
  },
  guardianSignature: {
    en:
      'I am the parent or legal guardian of the children named here. I have read and understood this document, explained ' +
      'it to them, and sign it for them and for myself.',
    de:
      'Ich bin Elternteil oder gesetzlicher Vertreter der hier genannten Kinder. Ich habe dieses Dokument gelesen und ' +
      'verstanden, es ihnen erklärt, und unterschreibe für sie und für mich.',
    fr:
      'Je suis le parent ou le représentant légal des enfants nommés ici. J’ai lu et compris ce document, je le leur ai ' +
      'expliqué, et je le signe pour eux et pour moi-même.',
    es:
      'Soy el padre, la madre o el representante legal de los menores aquí nombrados. He leído y entendido este documento, ' +
      'se lo he explicado y lo firmo por ellos y por mí.',
  },
} as const;

/** The languages of the shared parts. */
export type ExampleLanguage = 'en' | 'de' | 'fr' | 'es';

/** The items that most forms have, in some languages. */
export function partsIn(...languages: readonly ExampleLanguage[]) {
  const text = (all: ExampleText): Text =>
    Object.fromEntries(languages.map((language) => [language, all[language] ?? '']));
  const ask = (
    id: string,
    kind: AskItem['kind'],
    label: ExampleText,
    { required = true, help }: AskOptions = {},
  ) =>
    ({
      type: 'ask',
      id,
      kind,
      label: text(label),
      ...(help && { help: text(help) }),
      required,
      per: 'guest',
    }) satisfies AskItem;
  const agree = (act: ConsentAct, all: ExampleText, required: boolean): AgreeItem => ({
    type: 'agree',
    id: act,
    act,
    text: text(all),
    required,
  });
  const sign = (id: string, by: SignItem['by'], statement: ExampleText): SignItem => ({
    type: 'sign',
    id,
    by,
    statement: text(statement),
    methods: ['draw', 'type'],
  });

  return {
    languages,
    text,
    ask,
    /** A choice between options, by id. */
    choice: (id: string, label: ExampleText, options: Readonly<Record<string, ExampleText>>) => ({
      ...ask(id, 'choice', label),
      options: Object.entries(options).map(([option, all]): Option => ({ id: option, label: text(all) })),
    }),
    /** A yes-or-no health question; staff see a flag if the answer is yes. */
    healthQuestion: (id: string, label: ExampleText, flag: string, keepDays = 30) =>
      ({
        ...ask(id, 'yesno', label),
        sensitive: 'health',
        keepDays,
        flag: { on: ['yes'], label: flag },
      }) satisfies AskItem,
    /** Free text about health, asked if one of some questions was answered with yes. */
    healthDetails: (id: string, label: ExampleText, of: readonly [string, ...string[]], keepDays = 30) =>
      ({
        ...ask(id, 'long', label),
        max: 500,
        sensitive: 'health',
        keepDays,
        when: { any: of.map((answer) => ({ answer, in: ['yes'] })) },
      }) satisfies AskItem,
    read: (id: string, all: ExampleText, initials = false): TextItem => ({
      type: 'text',
      id,
      text: text(all),
      ...(initials && { initials }),
    }),
    page: (id: string, title: ExampleText, items: Page['items']): Page => ({ id, title: text(title), items }),

    /** Name, birth date and contact; the contact is asked once for a family. */
    aboutYou: (...more: Page['items']): Page => ({
      id: 'you',
      title: text(words.aboutYou),
      items: [
        { ...ask('name', 'text', words.name), property: 'name' },
        { ...ask('dateOfBirth', 'date', words.dateOfBirth), property: 'dateOfBirth' },
        { ...ask('email', 'email', words.email), property: 'email', per: 'signer' },
        {
          ...ask('phoneNumber', 'phone', words.phoneNumber, { required: false }),
          property: 'phoneNumber',
          per: 'signer',
        },
        ...more,
      ],
    }),
    emergencyContact: (): AskItem[] => [
      {
        ...ask('emergencyName', 'text', words.emergencyName, { help: words.emergencyHelp }),
        property: 'emergencyName',
        per: 'signer',
      },
      { ...ask('emergencyPhone', 'phone', words.emergencyPhone), property: 'emergencyPhone', per: 'signer' },
    ],
    consentsTitle: words.consents,
    electronic: agree('electronic', words.electronic, true),
    /** A trade's terms, and what they do not limit. */
    terms: (all: ExampleText): AgreeItem => ({
      ...agree('terms', all, true),
      text: Object.fromEntries(
        languages.map((language) => [language, `${all[language]}\n\n${words.liability[language]}`]),
      ),
    }),
    privacy: agree('privacy', words.privacy, true),
    health: agree('health', words.health, true),
    photos: agree('photos', words.photos, false),
    marketing: agree('marketing', words.marketing, false),
    /** The page for signatures. */
    signatures: (...by: readonly SignItem['by'][]): Page => ({
      id: 'signature',
      title: text(words.signature),
      items: by.map((who) =>
        who === 'guest'
          ? sign('signature', 'guest', words.guestSignature)
          : sign('guardianSignature', 'guardian', words.guardianSignature),
      ),
    }),
  };
}

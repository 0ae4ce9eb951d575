import type { InvitationWords } from './words.ts';

export const fr: InvitationWords = {
  subject: 'À signer avant votre venue : {activity}, {date}',
  text: `Bonjour {name},

Nous vous attendons le {date} à {time} : {activity}. Merci de lire et de signer notre formulaire avant cela, sur votre téléphone ou votre ordinateur. Cela prend une ou deux minutes et vous évite d’attendre à l’accueil.

{link}

À bientôt
{operator}`,
  group:
    'Ce lien est pour toutes les personnes de votre réservation. Merci de le transmettre à celles qui n’ont pas encore signé ; il montre qui l’a fait.',
  sign: 'Lire et signer',
  noName: 'et bienvenue',
  noActivity: 'votre activité',
  because: 'Vous recevez ce message en raison d’une réservation chez {operator}.',
  unsubscribe: 'Ne plus recevoir de tels messages',
  copy: {
    subject: 'Votre copie de ce que vous avez signé : {operator}',
    text: `Bonjour,

merci d’avoir signé. Ce lien vous permet de lire et d’imprimer à tout moment ce que vous avez signé :

{link}

Il fonctionne tant que {operator} conserve ce qui a été signé. Toute personne qui a le lien peut le lire : gardez-le pour vous.

{operator}`,
    open: 'Ouvrir ma copie',
    because:
      'Vous recevez ce message parce que cette adresse a été indiquée lors d’une signature pour {operator}.',
  },
  page: {
    title: 'Messages avant votre venue',
    question:
      'Ne voulez-vous plus recevoir d’e-mails de {operator} qui vous demandent de signer avant une visite ?',
    confirm: 'Plus de messages',
    done: 'C’est fait. {operator} n’écrira plus à cette adresse pour demander une signature.',
    unknown: 'Ce lien est incomplet. Merci de l’ouvrir à nouveau depuis le message.',
  },
};

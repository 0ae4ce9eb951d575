import type { KioskWords } from './english.ts';

export const french: KioskWords = {
  pair: {
    title: 'Associer cette tablette',
    intro: 'Dans la console, ouvrez la page du pool, ajoutez une borne et saisissez ici le code affiché.',
    code: 'Code à saisir',
    pair: 'Associer',
    pairing: 'Association…',
    wrong:
      'Ce code est faux, déjà utilisé ou vieux de plus de dix minutes. Créez-en un autre dans la console.',
    tooMany: 'Trop de codes faux. Patientez une minute.',
    offline: 'Il n’y a pas de connexion. Une tablette s’associe quand il y en a une.',
    cannotKeep:
      'Ce navigateur ne peut pas conserver ce que les clients signent. Prenez-en un autre, en HTTPS et hors navigation privée.',
    ended:
      'Cette borne a été révoquée ou associée sur une autre tablette. Ce qui attend ici est encore envoyé.',
  },
  start: {
    title: 'Bienvenue ! Signez ici.',
    search: 'Votre prénom ou numéro de réservation',
    sessions: 'Pour quoi êtes-vous là ?',
    chooseBooking: 'Quelle est votre réservation ?',
    noName: 'Noms pas encore connus',
    count: (signed, expected) => `${signed} sur ${expected} ont signé`,
    nothingFound: 'Rien n’a été trouvé. Demandez à l’équipe, ou signez sans réservation.',
    noBookings: 'Aucune réservation dans la liste d’aujourd’hui.',
    walkIn: 'Signer sans réservation',
    back: 'Tous les horaires',
    fullScreen: 'Plein écran',
    team: 'Pour l’équipe',
    asOf: (time) => `Liste de ${time}`,
    noForm: 'Il n’y a encore rien à signer pour cela. Demandez à l’équipe.',
  },
  idle: {
    title: 'Êtes-vous toujours là ?',
    text: (seconds) => `Dans ${seconds} s, tout ce qui a été saisi est effacé pour le client suivant.`,
    goOn: 'Continuer',
  },
  done: {
    kept: 'Votre signature est conservée sur cette tablette et part dès qu’il y a une connexion.',
    copy: 'Scannez ce code avec votre téléphone pour emporter votre copie. Il disparaît au bout de 40 secondes.',
    copyCode: 'Code avec le lien vers votre copie',
    next: 'Client suivant',
  },
  staff: {
    title: 'Pour l’équipe',
    pin: 'Code PIN',
    open: 'Ouvrir',
    checking: 'Vérification…',
    wrong: 'Ce code PIN est faux.',
    wait: (minutes) => `Trop de codes PIN faux. Réessayez dans ${minutes} min.`,
    close: 'Retour aux clients',
    waits: (count, since) => `Signatures en attente ici : ${count}, depuis ${since}`,
    nothingWaits: 'Rien n’attend sur cette tablette.',
    sendNow: 'Envoyer maintenant',
    updated: (time) => `La liste date de ${time}.`,
    leaveFullScreen: 'Quitter le plein écran',
    unpair: 'Arrêter la borne',
    unpairQuestion: 'Arrêter la borne sur cette tablette ?',
    unpairText:
      'Il faudra ensuite un nouveau code. Ce qui attend ici reste, et part quand cette page est ouverte.',
    cancel: 'Annuler',
  },
};

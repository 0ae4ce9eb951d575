import type { Words } from './english.ts';

export const french: Words = {
  loading: 'Chargement…',
  language: 'Langue',
  step: (step, steps) => `Étape ${step} sur ${steps}`,
  next: 'Continuer',
  back: 'Retour',
  optional: 'facultatif',
  notKept:
    'Ce navigateur ne garde pas ce que vous saisissez. Merci de terminer sans fermer ni recharger cette page.',
  onlineOnly:
    'Ce navigateur ne peut pas conserver votre signature sans connexion. Restez en ligne jusqu’à ce qu’il vous remercie.',
  languageChanged: 'Vous avez changé de langue : merci d’accepter et de signer à nouveau dans celle-ci.',
  bindingLanguage: (language) =>
    `Le texte qui fait foi est celui en ${language} ; cette traduction vous aide à le lire.`,
  signedLanguages:
    'Votre navigateur traduit cette page, mais pas les textes que vous signez. Ils peuvent être lus et signés en :',
  startAgain: 'Recommencer',
  startAgainQuestion: 'Effacer ce que vous avez saisi et recommencer ?',
  startAgainConfirm: 'Effacer et recommencer',
  cancel: 'Annuler',
  you: 'Vous',
  child: (number) => `Enfant ${number}`,

  who: {
    title: 'Qui êtes-vous ?',
    returning: 'Je suis déjà venu(e)',
    signingFor: 'Pour qui signez-vous ?',
    self: 'Pour moi',
    both: 'Pour moi et des enfants',
    children: 'Seulement pour des enfants',
    childrenHelp: 'Vous êtes leur parent ou représentant légal et ne participez pas.',
    whichGuest: 'Laquelle de ces personnes êtes-vous ?',
    hasSigned: 'a signé',
    notListed: 'Je ne suis pas dans cette liste',
    guardianName: 'Vos prénom et nom',
    relationship: 'Votre lien avec les enfants',
    relationshipHelp: 'Par exemple mère, père ou tuteur légal',
    dateOfBirth: 'Votre date de naissance',
    ofAge: (years) => `J’ai ${years} ans ou plus.`,
  },

  children: {
    title: 'Vos enfants',
    intro: (majority) => `Toutes les personnes de moins de ${majority} ans pour qui vous signez.`,
    whichGuest: 'Nom dans la réservation',
    notListed: 'Pas dans la liste',
    add: 'Ajouter un autre enfant',
    remove: (name) => `Retirer ${name}`,
    atMost: (count) => `Une personne peut signer pour ${count} enfants au maximum.`,
  },

  fields: {
    yes: 'Oui',
    no: 'Non',
    choose: 'Choisissez',
    day: 'Jour',
    month: 'Mois',
    year: 'Année',
    initials: 'Vos initiales',
    initialsHelp: 'Elles montrent que vous avez lu cette partie.',
    photo: 'Prendre ou choisir une photo',
    otherPhoto: 'Prendre une autre photo',
    photoWorking: 'Préparation de la photo…',
    photoFailed: 'Ce fichier ne peut pas être lu comme une photo. Merci d’en choisir un autre.',
    photoLimit: 'Cela fait trop de photos pour une signature.',
  },

  signature: {
    how: 'Dessinez ou tapez, comme vous voulez : les deux ont la même valeur.',
    draw: 'Dessiner',
    type: 'Taper',
    drawHere: 'Signez ici',
    typeHere: 'Vos prénom et nom',
    clear: 'Effacer',
    empty: 'Rien n’est encore dessiné.',
    drawn: 'Votre signature est dessinée.',
    of: (name) => `Signature de ${name}`,
    ofGuardian: (name) =>
      name === ''
        ? 'Signature du parent ou du représentant légal'
        : `Signature de ${name}, parent ou représentant légal`,
    isFull: 'Le dessin est plein. Effacez-le pour dessiner à nouveau.',
  },

  check: {
    title: 'Tout est juste ?',
    intro: 'Rien n’est encore envoyé définitivement. Vous pouvez encore tout modifier.',
    change: 'Modifier',
    agreed: 'Accepté',
    notAgreed: 'Non accepté',
    initials: (initials) => `Lu, initiales ${initials}`,
    send: 'Confirmer et envoyer',
    sending: 'Envoi…',
    sendAgain: 'Envoyer à nouveau',
  },

  done: {
    title: 'Tout est signé. Merci !',
    signedFor: (names) => `Signé pour ${names}.`,
    next: 'L’équipe voit que vous avez signé ; il n’y a rien à imprimer ni à montrer.',
    waits:
      'Il n’y a pas de connexion en ce moment. Votre signature est en sécurité sur cet appareil, fermée de sorte que seul le service peut la lire. Elle part dès qu’il y a une connexion : laissez cette page ouverte, ou rouvrez-la plus tard. Votre copie apparaîtra ici dès l’envoi.',
    copy: 'Ouvrir votre copie',
    copyLasts:
      'Ce lien vers ce que vous avez signé reste valable : enregistrez-le ou envoyez-le-vous. Toute personne qui l’a peut le lire.',
    noCopy: 'Demandez à l’équipe une copie de ce que vous avez signé.',
    another: 'Signer pour une autre personne',
    nextGuest: 'Personne suivante',
  },

  waiting: {
    count: (count: number) =>
      count === 1
        ? '1 signature attend sur cet appareil et part dès qu’il y a une connexion.'
        : `${count} signatures attendent sur cet appareil et partent dès qu’il y a une connexion.`,
    stuck: (count: number) =>
      count === 1
        ? '1 signature n’a pas pu être remise. Elle reste ici : montrez cette page à l’équipe.'
        : `${count} signatures n’ont pas pu être remises. Elles restent ici : montrez cette page à l’équipe.`,
    sent: 'Ce qui attendait sur cet appareil a été envoyé.',
  },

  changed: {
    title: 'Le formulaire a changé',
    intro:
      'Une nouvelle version a été publiée depuis que vous avez ouvert cette page. Vos réponses sont gardées. Merci de lire ce qui a changé, puis de continuer et de signer cette version.',
    added: 'Nouveau',
    reworded: 'Modifié',
    removed: 'N’est plus demandé',
    small: 'Seuls l’ordre ou les règles du formulaire ont changé.',
  },

  trouble: {
    tryAgain: 'Réessayer',
    offline: {
      title: 'Pas de connexion',
      text: 'L’envoi n’a pas abouti. Laissez cette page ouverte : l’envoi se fait dès qu’il y a une connexion ; vous pouvez aussi réessayer vous-même.',
    },
    offlineAtStart: {
      title: 'Pas de connexion',
      text: 'Le formulaire n’a pas pu être chargé. Vérifiez votre connexion et réessayez.',
    },
    unavailable: {
      title: 'Cela n’a pas fonctionné',
      text: 'Le service a un problème en ce moment. Ce que vous avez saisi est gardé ; réessayez dans une minute.',
    },
    tooManyRequests: {
      title: 'Un instant',
      text: 'Beaucoup de personnes signent en ce moment. Réessayez dans une minute.',
    },
    tooLarge: {
      title: 'Les photos sont trop lourdes',
      text: 'Revenez en arrière et choisissez une photo plus petite.',
    },
    linkUnknown: {
      title: 'Ce lien ne fonctionne pas',
      text: 'Il est peut-être incomplet. Ouvrez le lien entier de votre message ou demandez à l’équipe.',
    },
    linkExpired: {
      title: 'Ce lien a expiré',
      text: 'Demandez un nouveau lien à l’équipe ou signez à l’accueil.',
    },
    linkRevoked: {
      title: 'Ce lien n’est plus valable',
      text: 'Demandez un nouveau lien à l’équipe ou signez à l’accueil.',
    },
    bookingGone: {
      title: 'Cette réservation n’existe plus',
      text: 'Elle a été annulée ou déplacée. Demandez à l’équipe.',
    },
    noForm: {
      title: 'Il n’y a encore rien à signer ici',
      text: 'Aucun formulaire n’est prêt pour cette activité. Demandez à l’équipe.',
    },
    alreadySigned: {
      title: 'Déjà signé',
      text: 'Une signature est déjà là pour cette personne. Il n’y a rien d’autre à faire.',
    },
    everyoneSigned: {
      title: 'Déjà signé',
      text: 'Toutes les personnes de cette réservation ont signé. Il n’y a rien d’autre à faire.',
    },
    signingExists: {
      title: 'Ceci n’est pas encore envoyé',
      text: 'Autre chose avait déjà été signé sous le même numéro, peut-être dans un autre onglet. Tout ce que vous avez saisi est encore là : relisez-le et envoyez-le de nouveau. Cela comptera comme une signature à part.',
    },
    guestNotOfLink: {
      title: 'La réservation a changé',
      text: 'La personne choisie n’est plus dans cette réservation. Revenez en arrière et choisissez à nouveau.',
    },
    preview: {
      title: 'Ceci est un aperçu',
      text: 'C’est ici que les clients signent. Rien n’a été envoyé ni enregistré.',
    },
    refused: {
      title: 'Cela n’a pas pu être accepté',
      text: 'Relisez vos réponses ou demandez à l’équipe.',
    },
    failed: {
      title: 'Cette page n’a pas pu être affichée',
      text: 'Ce que vous avez saisi est gardé. Rechargez la page ; si cela ne suffit pas, signez à l’accueil.',
    },
  },
};

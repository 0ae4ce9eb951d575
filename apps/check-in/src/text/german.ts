import type { Words } from './english.ts';

export const german: Words = {
  loading: 'Wird geladen …',
  language: 'Sprache',
  step: (step, steps) => `Schritt ${step} von ${steps}`,
  next: 'Weiter',
  back: 'Zurück',
  optional: 'freiwillig',
  notKept:
    'Dieser Browser speichert Ihre Eingaben nicht. Bitte schließen Sie die Seite nicht und laden Sie sie nicht neu, bis Sie fertig sind.',
  onlineOnly:
    'Dieser Browser kann Ihre Unterschrift nicht aufbewahren, solange es keine Verbindung gibt. Bitte bleiben Sie online, bis er sich bedankt.',
  languageChanged:
    'Sie haben die Sprache gewechselt: Bitte stimmen Sie in dieser Sprache noch einmal zu und unterschreiben Sie.',
  bindingLanguage: (language) =>
    `Verbindlich ist der Text auf ${language}; diese Übersetzung soll Ihnen das Lesen erleichtern.`,
  signedLanguages:
    'Ihr Browser übersetzt diese Seite, nicht aber die Texte, die Sie unterschreiben. Diese können gelesen und unterschrieben werden auf:',
  startAgain: 'Von vorn beginnen',
  startAgainQuestion: 'Eingaben löschen und von vorn beginnen?',
  startAgainConfirm: 'Löschen und von vorn beginnen',
  cancel: 'Abbrechen',
  you: 'Sie',
  child: (number) => `Kind ${number}`,

  who: {
    title: 'Wer sind Sie?',
    returning: 'Ich war schon einmal hier',
    signingFor: 'Für wen unterschreiben Sie?',
    self: 'Für mich',
    both: 'Für mich und Kinder',
    children: 'Nur für Kinder',
    childrenHelp: 'Sie sind Elternteil oder gesetzlicher Vertreter und nehmen nicht teil.',
    whichGuest: 'Wer davon sind Sie?',
    hasSigned: 'hat unterschrieben',
    notListed: 'Ich stehe nicht auf dieser Liste',
    guardianName: 'Ihr voller Name',
    relationship: 'Ihr Verhältnis zu den Kindern',
    relationshipHelp: 'Zum Beispiel Mutter, Vater oder Vormund',
    dateOfBirth: 'Ihr Geburtsdatum',
    ofAge: (years) => `Ich bin ${years} oder älter.`,
  },

  children: {
    title: 'Ihre Kinder',
    intro: (majority) => `Alle unter ${majority}, für die Sie unterschreiben.`,
    whichGuest: 'Name in der Buchung',
    notListed: 'Nicht auf der Liste',
    add: 'Weiteres Kind hinzufügen',
    remove: (name) => `${name} entfernen`,
    atMost: (count) => `Eine Person kann für höchstens ${count} Kinder unterschreiben.`,
  },

  fields: {
    yes: 'Ja',
    no: 'Nein',
    choose: 'Bitte wählen',
    day: 'Tag',
    month: 'Monat',
    year: 'Jahr',
    initials: 'Ihre Initialen',
    initialsHelp: 'Sie zeigen, dass Sie diesen Abschnitt gelesen haben.',
    photo: 'Foto aufnehmen oder auswählen',
    otherPhoto: 'Anderes Foto aufnehmen',
    photoWorking: 'Das Foto wird vorbereitet …',
    photoFailed: 'Diese Datei lässt sich nicht als Foto lesen. Bitte wählen Sie eine andere.',
    photoLimit: 'Das sind zu viele Fotos für eine Unterschrift.',
  },

  signature: {
    how: 'Zeichnen oder tippen, wie Sie mögen: Beides gilt gleich.',
    draw: 'Zeichnen',
    type: 'Tippen',
    drawHere: 'Hier unterschreiben',
    typeHere: 'Ihr voller Name',
    clear: 'Löschen',
    empty: 'Noch nichts gezeichnet.',
    drawn: 'Ihre Unterschrift ist gezeichnet.',
    of: (name) => `Unterschrift von ${name}`,
    ofGuardian: (name) =>
      name === ''
        ? 'Unterschrift des Elternteils oder gesetzlichen Vertreters'
        : `Unterschrift von ${name}, Elternteil oder gesetzlicher Vertreter`,
    isFull: 'Die Zeichnung ist voll. Löschen Sie sie, um noch einmal zu zeichnen.',
  },

  check: {
    title: 'Stimmt alles?',
    intro: 'Es ist noch nichts endgültig gesendet. Sie können alles noch ändern.',
    change: 'Ändern',
    agreed: 'Zugestimmt',
    notAgreed: 'Nicht zugestimmt',
    initials: (initials) => `Gelesen, Initialen ${initials}`,
    send: 'Bestätigen und senden',
    sending: 'Wird gesendet …',
    sendAgain: 'Noch einmal senden',
  },

  done: {
    title: 'Alles unterschrieben. Danke!',
    signedFor: (names) => `Unterschrieben für ${names}.`,
    next: 'Das Team sieht, dass Sie unterschrieben haben; Sie müssen nichts ausdrucken oder vorzeigen.',
    waits:
      'Es gibt gerade keine Verbindung. Ihre Unterschrift ist auf diesem Gerät sicher und so verschlossen, dass nur der Dienst sie lesen kann. Sie wird gesendet, sobald es eine Verbindung gibt: Lassen Sie diese Seite offen, oder öffnen Sie sie später noch einmal. Ihre Kopie erscheint hier, sobald die Unterschrift gesendet ist.',
    copy: 'Ihre Kopie öffnen',
    copyLasts:
      'Dieser Link zu dem, was Sie unterschrieben haben, bleibt gültig: Speichern Sie ihn, oder schicken Sie ihn sich selbst. Wer ihn hat, kann es lesen.',
    noCopy: 'Bitte fragen Sie das Team nach einer Kopie des Unterschriebenen.',
    another: 'Für eine weitere Person unterschreiben',
    nextGuest: 'Nächster Gast',
  },

  waiting: {
    count: (count: number) =>
      count === 1
        ? '1 Unterschrift wartet auf diesem Gerät und wird gesendet, sobald es eine Verbindung gibt.'
        : `${count} Unterschriften warten auf diesem Gerät und werden gesendet, sobald es eine Verbindung gibt.`,
    stuck: (count: number) =>
      count === 1
        ? '1 Unterschrift konnte nicht zugestellt werden. Sie bleibt hier: Bitte zeigen Sie diese Seite dem Team.'
        : `${count} Unterschriften konnten nicht zugestellt werden. Sie bleiben hier: Bitte zeigen Sie diese Seite dem Team.`,
    sent: 'Was auf diesem Gerät gewartet hat, wurde gesendet.',
  },

  changed: {
    title: 'Das Formular hat sich geändert',
    intro:
      'Seit Sie diese Seite geöffnet haben, wurde eine neue Fassung veröffentlicht. Ihre Antworten bleiben erhalten. Bitte lesen Sie, was neu ist, und unterschreiben Sie dann diese Fassung.',
    added: 'Neu',
    reworded: 'Geändert',
    removed: 'Entfällt',
    small: 'Nur die Reihenfolge oder die Regeln des Formulars haben sich geändert.',
  },

  trouble: {
    tryAgain: 'Noch einmal versuchen',
    offline: {
      title: 'Keine Verbindung',
      text: 'Das konnte nicht gesendet werden. Bitte lassen Sie diese Seite offen: Es wird gesendet, sobald es eine Verbindung gibt; Sie können es auch selbst noch einmal versuchen.',
    },
    offlineAtStart: {
      title: 'Keine Verbindung',
      text: 'Das Formular konnte nicht geladen werden. Bitte prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    },
    unavailable: {
      title: 'Das hat nicht geklappt',
      text: 'Der Dienst hat gerade ein Problem. Ihre Eingaben bleiben erhalten; bitte versuchen Sie es in einer Minute noch einmal.',
    },
    tooManyRequests: {
      title: 'Einen Moment',
      text: 'Gerade unterschreiben sehr viele. Bitte versuchen Sie es in einer Minute noch einmal.',
    },
    tooLarge: {
      title: 'Die Fotos sind zu groß',
      text: 'Bitte gehen Sie zurück und wählen Sie ein kleineres Foto.',
    },
    linkUnknown: {
      title: 'Dieser Link funktioniert nicht',
      text: 'Vielleicht ist er unvollständig. Bitte öffnen Sie den ganzen Link aus Ihrer Nachricht, oder fragen Sie das Team.',
    },
    linkExpired: {
      title: 'Dieser Link ist abgelaufen',
      text: 'Bitte fragen Sie das Team nach einem neuen Link, oder unterschreiben Sie am Empfang.',
    },
    linkRevoked: {
      title: 'Dieser Link gilt nicht mehr',
      text: 'Bitte fragen Sie das Team nach einem neuen Link, oder unterschreiben Sie am Empfang.',
    },
    bookingGone: {
      title: 'Diese Buchung gibt es nicht mehr',
      text: 'Sie wurde storniert oder verschoben. Bitte fragen Sie das Team.',
    },
    noForm: {
      title: 'Hier gibt es noch nichts zu unterschreiben',
      text: 'Für diese Aktivität ist kein Formular bereit. Bitte fragen Sie das Team.',
    },
    alreadySigned: {
      title: 'Schon unterschrieben',
      text: 'Für diese Person liegt schon eine Unterschrift vor. Es ist nichts weiter zu tun.',
    },
    everyoneSigned: {
      title: 'Schon unterschrieben',
      text: 'Alle in dieser Buchung haben unterschrieben. Es ist nichts weiter zu tun.',
    },
    signingExists: {
      title: 'Das ist noch nicht gesendet',
      text: 'Unter derselben Nummer wurde vorher etwas anderes unterschrieben, vielleicht in einem anderen Tab. Alles, was Sie eingegeben haben, ist noch da: Bitte sehen Sie es durch und senden Sie es noch einmal. Es zählt dann als eigene Unterschrift.',
    },
    guestNotOfLink: {
      title: 'Die Buchung hat sich geändert',
      text: 'Die gewählte Person ist nicht mehr in dieser Buchung. Bitte gehen Sie zurück und wählen Sie noch einmal.',
    },
    preview: {
      title: 'Dies ist eine Vorschau',
      text: 'Hier unterschreiben Gäste. Es wurde nichts gesendet oder gespeichert.',
    },
    refused: {
      title: 'Das konnte nicht angenommen werden',
      text: 'Bitte sehen Sie Ihre Antworten noch einmal durch, oder fragen Sie das Team.',
    },
    failed: {
      title: 'Diese Seite konnte nicht angezeigt werden',
      text: 'Ihre Eingaben bleiben erhalten. Bitte laden Sie die Seite neu; hilft das nicht, unterschreiben Sie am Empfang.',
    },
  },
};

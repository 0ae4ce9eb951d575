import type { KioskWords } from './english.ts';

export const german: KioskWords = {
  pair: {
    title: 'Dieses Tablet koppeln',
    intro:
      'Öffnen Sie in der Konsole die Seite des Pools, fügen Sie einen Kiosk hinzu und geben Sie hier den Code ein, der dort steht.',
    code: 'Code',
    pair: 'Koppeln',
    pairing: 'Wird gekoppelt…',
    wrong:
      'Dieser Code ist falsch, wurde schon benutzt oder ist älter als zehn Minuten. Machen Sie in der Konsole einen neuen.',
    tooMany: 'Zu viele falsche Codes. Bitte warten Sie eine Minute.',
    offline: 'Es gibt keine Verbindung. Ein Tablet wird gekoppelt, solange es eine gibt.',
    cannotKeep:
      'Dieser Browser kann nicht aufbewahren, was Gäste unterschreiben. Nehmen Sie einen anderen, über HTTPS und nicht in einem privaten Fenster.',
    ended:
      'Dieser Kiosk wurde widerrufen oder auf einem anderen Tablet gekoppelt. Was hier wartet, wird noch gesendet.',
  },
  start: {
    title: 'Willkommen! Bitte unterschreiben Sie hier.',
    search: 'Ihr Vorname oder Ihre Buchungsnummer',
    sessions: 'Wofür sind Sie hier?',
    chooseBooking: 'Welche Buchung ist Ihre?',
    noName: 'Namen noch nicht bekannt',
    count: (signed, expected) => `${signed} von ${expected} unterschrieben`,
    nothingFound: 'Nichts gefunden. Bitte fragen Sie das Team, oder unterschreiben Sie ohne Buchung.',
    noBookings: 'Für heute stehen keine Buchungen in der Liste.',
    walkIn: 'Ohne Buchung unterschreiben',
    back: 'Alle Zeiten',
    fullScreen: 'Ganzer Bildschirm',
    team: 'Für das Team',
    asOf: (time) => `Liste von ${time}`,
    noForm: 'Dafür gibt es noch nichts zu unterschreiben. Bitte fragen Sie das Team.',
  },
  idle: {
    title: 'Sind Sie noch da?',
    text: (seconds) => `In ${seconds} s wird alles gelöscht, was eingegeben wurde, für den nächsten Gast.`,
    goOn: 'Weiter',
  },
  done: {
    kept: 'Ihre Unterschrift ist auf diesem Tablet aufgehoben und wird gesendet, sobald es eine Verbindung gibt.',
    copy: 'Scannen Sie diesen Code mit Ihrem Telefon, um Ihre Kopie mitzunehmen. Er verschwindet nach 40 Sekunden.',
    copyCode: 'Code mit dem Link zu Ihrer Kopie',
    next: 'Nächster Gast',
  },
  staff: {
    title: 'Für das Team',
    pin: 'PIN-Nummer',
    open: 'Öffnen',
    checking: 'Wird geprüft…',
    wrong: 'Diese PIN ist falsch.',
    wait: (minutes) => `Zu viele falsche PINs. Bitte versuchen Sie es in ${minutes} min noch einmal.`,
    close: 'Zurück zu den Gästen',
    waits: (count, since) => `Unterschriften, die hier warten: ${count}, seit ${since}`,
    nothingWaits: 'Auf diesem Tablet wartet nichts.',
    sendNow: 'Jetzt senden',
    updated: (time) => `Die Liste ist von ${time}.`,
    leaveFullScreen: 'Ganzen Bildschirm verlassen',
    unpair: 'Kiosk beenden',
    unpairQuestion: 'Den Kiosk auf diesem Tablet beenden?',
    unpairText:
      'Danach braucht es einen neuen Code. Was hier wartet, bleibt und wird gesendet, wenn diese Seite offen ist.',
    cancel: 'Abbrechen',
  },
};

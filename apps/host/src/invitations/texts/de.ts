import type { InvitationWords } from './words.ts';

export const de: InvitationWords = {
  subject: 'Bitte vorab unterschreiben: {activity} am {date}',
  text: `Guten Tag {name},

am {date} um {time} sind Sie bei uns: {activity}. Bitte lesen und unterschreiben Sie vorher unser Formular, am Telefon oder am Computer. Das dauert ein bis zwei Minuten und erspart Ihnen das Warten am Empfang.

{link}

Bis bald
{operator}`,
  group:
    'Der Link ist für alle, die zu Ihrer Buchung gehören. Bitte leiten Sie ihn an alle weiter, die noch nicht unterschrieben haben; er zeigt, wer schon unterschrieben hat.',
  sign: 'Lesen und unterschreiben',
  noName: 'lieber Gast',
  noActivity: 'Ihr Termin',
  because: 'Sie bekommen diese Nachricht wegen einer Buchung bei {operator}.',
  unsubscribe: 'Keine solchen Nachrichten mehr',
  copy: {
    subject: 'Ihre Kopie des Unterschriebenen: {operator}',
    text: `Guten Tag,

danke für Ihre Unterschrift. Mit diesem Link können Sie jederzeit lesen und ausdrucken, was Sie unterschrieben haben:

{link}

Er gilt, solange {operator} das Unterschriebene aufbewahrt. Wer den Link hat, kann es lesen; behalten Sie ihn bitte für sich.

{operator}`,
    open: 'Meine Kopie öffnen',
    because:
      'Sie bekommen diese Nachricht, weil diese Adresse bei einer Unterschrift für {operator} angegeben wurde.',
  },
  page: {
    title: 'Nachrichten vor Ihrem Besuch',
    question:
      'Möchten Sie von {operator} keine E-Mails mehr bekommen, die Sie vor einem Besuch um Ihre Unterschrift bitten?',
    confirm: 'Keine Nachrichten mehr',
    done: 'Erledigt. {operator} schreibt dieser Adresse nicht mehr, um eine Unterschrift zu erbitten.',
    unknown: 'Dieser Link ist unvollständig. Bitte öffnen Sie ihn noch einmal aus der Nachricht.',
  },
};

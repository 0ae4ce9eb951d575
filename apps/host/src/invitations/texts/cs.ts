import type { InvitationWords } from './words.ts';

export const cs: InvitationWords = {
  subject: 'Prosíme o podpis předem: {activity}, {date}',
  text: `Dobrý den, {name},

{date} v {time} se na vás těšíme: {activity}. Přečtěte si prosím a podepište předem náš formulář, v telefonu nebo na počítači. Zabere to minutu nebo dvě a ušetří vám to čekání na recepci.

{link}

Na shledanou
{operator}`,
  group:
    'Odkaz je pro všechny z vaší rezervace. Přepošlete ho prosím těm, kdo ještě nepodepsali; je na něm vidět, kdo už podepsal.',
  sign: 'Přečíst a podepsat',
  noName: 'vážení',
  noActivity: 'vaše aktivita',
  because: 'Tuto zprávu dostáváte kvůli rezervaci u {operator}.',
  unsubscribe: 'Takové zprávy už neposílat',
  copy: {
    subject: 'Vaše kopie podepsaného: {operator}',
    text: `Dobrý den,

děkujeme za podpis. Na tomto odkazu si můžete kdykoli přečíst a vytisknout, co jste podepsali:

{link}

Odkaz platí, dokud {operator} podepsaný dokument uchovává. Kdo má odkaz, může si ho přečíst, proto ho prosím nikomu nepředávejte.

{operator}`,
    open: 'Otevřít moji kopii',
    because: 'Tuto zprávu dostáváte, protože při podpisu pro {operator} byla uvedena tato adresa.',
  },
  page: {
    title: 'Zprávy před vaší návštěvou',
    question: 'Nechcete už od {operator} dostávat e-maily s prosbou o podpis před návštěvou?',
    confirm: 'Už žádné zprávy',
    done: 'Hotovo. {operator} už na tuto adresu nenapíše s prosbou o podpis.',
    unknown: 'Tento odkaz není úplný. Otevřete ho prosím ze zprávy znovu.',
  },
};

import type { Words } from './english.ts';

export const czech: Words = {
  loading: 'Načítá se…',
  language: 'Jazyk',
  step: (step, steps) => `Krok ${step} z ${steps}`,
  next: 'Pokračovat',
  back: 'Zpět',
  optional: 'nepovinné',
  notKept:
    'Tento prohlížeč neuchovává, co zadáte. Dokončete to prosím bez zavření nebo nového načtení stránky.',
  onlineOnly:
    'Tento prohlížeč nedokáže uchovat váš podpis, když není připojení. Zůstaňte prosím online, dokud vám nepoděkuje.',
  languageChanged: 'Změnili jste jazyk: vyjádřete prosím souhlas a podepište se znovu v tomto jazyce.',
  bindingLanguage: (language) =>
    `Závazný je text v tomto jazyce: ${language}. Tento překlad vám má usnadnit čtení.`,
  signedLanguages:
    'Váš prohlížeč překládá tuto stránku, ale ne texty, které podepisujete. Ty lze číst a podepsat v těchto jazycích:',
  startAgain: 'Začít znovu',
  startAgainQuestion: 'Smazat, co jste zadali, a začít znovu?',
  startAgainConfirm: 'Smazat a začít znovu',
  cancel: 'Zrušit',
  you: 'Vy',
  child: (number) => `Dítě ${number}`,

  who: {
    title: 'Kdo jste?',
    returning: 'Už jsem tu někdy byl(a)',
    signingFor: 'Za koho podepisujete?',
    self: 'Za sebe',
    both: 'Za sebe a za děti',
    children: 'Jen za děti',
    childrenHelp: 'Jste jejich rodič nebo zákonný zástupce a neúčastníte se.',
    whichGuest: 'Kdo z nich jste?',
    hasSigned: 'podepsáno',
    notListed: 'Na tomto seznamu nejsem',
    guardianName: 'Vaše celé jméno',
    relationship: 'Váš vztah k dětem',
    relationshipHelp: 'Například matka, otec nebo poručník',
    dateOfBirth: 'Vaše datum narození',
    ofAge: (years) => `Je mi ${years} nebo více let.`,
  },

  children: {
    title: 'Vaše děti',
    intro: (majority) => `Všichni mladší ${majority} let, za které podepisujete.`,
    whichGuest: 'Jméno v rezervaci',
    notListed: 'Není na seznamu',
    add: 'Přidat další dítě',
    remove: (name) => `Odebrat: ${name}`,
    atMost: (count) => `Nejvyšší počet dětí, za které může podepsat jedna osoba: ${count}.`,
  },

  fields: {
    yes: 'Ano',
    no: 'Ne',
    choose: 'Vyberte prosím',
    day: 'Den',
    month: 'Měsíc',
    year: 'Rok',
    initials: 'Vaše iniciály',
    initialsHelp: 'Ukazují, že jste tuto část četli.',
    photo: 'Vyfotit nebo vybrat fotografii',
    otherPhoto: 'Vyfotit jinou fotografii',
    photoWorking: 'Fotografie se připravuje…',
    photoFailed: 'Tento soubor nelze přečíst jako fotografii. Vyberte prosím jiný.',
    photoLimit: 'To je na jeden podpis příliš mnoho fotografií.',
  },

  signature: {
    how: 'Kreslete nebo pište, jak chcete: obojí platí stejně.',
    draw: 'Kreslit',
    type: 'Psát',
    drawHere: 'Podepište se zde',
    typeHere: 'Vaše celé jméno',
    clear: 'Smazat',
    empty: 'Zatím není nic nakresleno.',
    drawn: 'Váš podpis je nakreslen.',
    of: (name) => `Podpis: ${name}`,
    ofGuardian: (name) =>
      name === '' ? 'Podpis rodiče nebo zákonného zástupce' : `Podpis: ${name}, rodič nebo zákonný zástupce`,
    isFull: 'Kresba je plná. Chcete-li kreslit znovu, smažte ji.',
  },

  check: {
    title: 'Je všechno správně?',
    intro: 'Zatím nebylo nic definitivně odesláno. Všechno můžete ještě změnit.',
    change: 'Změnit',
    agreed: 'Souhlas udělen',
    notAgreed: 'Souhlas neudělen',
    initials: (initials) => `Přečteno, iniciály ${initials}`,
    send: 'Potvrdit a odeslat',
    sending: 'Odesílá se…',
    sendAgain: 'Odeslat znovu',
  },

  done: {
    title: 'Vše je podepsáno. Děkujeme!',
    signedFor: (names) => `Podepsáno za: ${names}.`,
    next: 'Tým vidí, že jste podepsali; nic nemusíte tisknout ani ukazovat.',
    waits:
      'Právě není připojení. Váš podpis je v tomto zařízení v bezpečí, uzamčený tak, že ho může přečíst jen služba. Odešle se, jakmile bude připojení: nechte tuto stránku otevřenou, nebo ji otevřete později znovu. Vaše kopie se tu objeví, jakmile bude podpis odeslán.',
    copy: 'Otevřít vaši kopii',
    copyLasts:
      'Tento odkaz na to, co jste podepsali, zůstává platný: uložte si ho nebo si ho pošlete. Kdo ho má, může si to přečíst.',
    noCopy: 'O kopii podepsaného prosím požádejte náš tým.',
    another: 'Podepsat za další osobu',
    nextGuest: 'Další host',
  },

  waiting: {
    count: (count: number) =>
      count === 1
        ? 'V tomto zařízení čeká 1 podpis a odešle se, jakmile bude připojení.'
        : `V tomto zařízení čekají podpisy (${count}) a odešlou se, jakmile bude připojení.`,
    stuck: (count: number) =>
      count === 1
        ? '1 podpis se nepodařilo doručit. Zůstává zde: ukažte prosím tuto stránku týmu.'
        : `Některé podpisy (${count}) se nepodařilo doručit. Zůstávají zde: ukažte prosím tuto stránku týmu.`,
    sent: 'Co v tomto zařízení čekalo, je odesláno.',
  },

  changed: {
    title: 'Formulář se změnil',
    intro:
      'Od otevření této stránky byla zveřejněna nová verze. Vaše odpovědi zůstávají. Přečtěte si prosím, co je nové, a pak pokračujte a podepište tuto verzi.',
    added: 'Nové',
    reworded: 'Změněno',
    removed: 'Už se nevyžaduje',
    small: 'Změnilo se jen pořadí nebo pravidla formuláře.',
  },

  trouble: {
    tryAgain: 'Zkusit znovu',
    offline: {
      title: 'Bez připojení',
      text: 'Odeslání se nezdařilo. Nechte prosím tuto stránku otevřenou: odešle se, jakmile bude připojení; můžete to také zkusit znovu sami.',
    },
    offlineAtStart: {
      title: 'Bez připojení',
      text: 'Formulář se nepodařilo načíst. Zkontrolujte prosím připojení a zkuste to znovu.',
    },
    unavailable: {
      title: 'Nepodařilo se to',
      text: 'Služba má právě potíže. Co jste zadali, zůstává; zkuste to prosím za minutu znovu.',
    },
    tooManyRequests: {
      title: 'Okamžik prosím',
      text: 'Právě teď podepisuje mnoho lidí. Zkuste to prosím za minutu znovu.',
    },
    tooLarge: {
      title: 'Fotografie jsou příliš velké',
      text: 'Vraťte se prosím a vyberte menší fotografii.',
    },
    linkUnknown: {
      title: 'Tento odkaz nefunguje',
      text: 'Možná není celý. Otevřete prosím celý odkaz ze své zprávy nebo se zeptejte týmu.',
    },
    linkExpired: {
      title: 'Platnost odkazu skončila',
      text: 'Požádejte prosím tým o nový odkaz nebo se podepište na recepci.',
    },
    linkRevoked: {
      title: 'Tento odkaz už neplatí',
      text: 'Požádejte prosím tým o nový odkaz nebo se podepište na recepci.',
    },
    bookingGone: {
      title: 'Tato rezervace už neexistuje',
      text: 'Byla zrušena nebo přesunuta. Zeptejte se prosím týmu.',
    },
    noForm: {
      title: 'Zatím tu není co podepsat',
      text: 'Pro tuto aktivitu není připraven žádný formulář. Zeptejte se prosím týmu.',
    },
    alreadySigned: {
      title: 'Už je podepsáno',
      text: 'Za tuto osobu už podpis máme. Nic dalšího není třeba.',
    },
    everyoneSigned: {
      title: 'Už je podepsáno',
      text: 'Podepsali se všichni v této rezervaci. Nic dalšího není třeba.',
    },
    signingExists: {
      title: 'Ještě není odesláno',
      text: 'Pod stejným číslem už bylo podepsáno něco jiného, možná v jiné kartě prohlížeče. Vše, co jste zadali, tu zůstalo: zkontrolujte to prosím a odešlete znovu. Bude se to počítat jako samostatný podpis.',
    },
    guestNotOfLink: {
      title: 'Rezervace se změnila',
      text: 'Vybraná osoba už v této rezervaci není. Vraťte se prosím a vyberte znovu.',
    },
    preview: { title: 'Toto je náhled', text: 'Zde hosté podepisují. Nic nebylo odesláno ani uloženo.' },
    refused: {
      title: 'Nebylo možné to přijmout',
      text: 'Projděte si prosím své odpovědi nebo se zeptejte týmu.',
    },
    failed: {
      title: 'Stránku se nepodařilo zobrazit',
      text: 'Co jste zadali, zůstává. Načtěte prosím stránku znovu; pokud to nepomůže, podepište se na recepci.',
    },
  },
};

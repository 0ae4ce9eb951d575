import { codeMinutes } from '@waiver-service/store';
import { textLanguage } from './reuse-questions.ts';

interface CodeMailTexts {
  subject(code: string): string;
  text(code: string, poolName: string, minutes: number): string;
}

const mails = {
  en: {
    subject: (code) => `${code} is your code`,
    text: (code, pool, minutes) =>
      `Your code for ${pool}: ${code}\n\nEnter it on the page on which you asked for it. It works for ${minutes} minutes, once.\n\nYou did not ask for it? Then you need not do anything, and please give the code to nobody.`,
  },
  de: {
    subject: (code) => `${code} ist Ihr Code`,
    text: (code, pool, minutes) =>
      `Ihr Code für ${pool}: ${code}\n\nGeben Sie ihn auf der Seite ein, auf der Sie ihn angefordert haben. Er gilt ${minutes} Minuten und nur einmal.\n\nSie haben keinen Code angefordert? Dann müssen Sie nichts tun; geben Sie ihn bitte niemandem.`,
  },
  es: {
    subject: (code) => `${code} es su código`,
    text: (code, pool, minutes) =>
      `Su código para ${pool}: ${code}\n\nEscríbalo en la página en la que lo ha pedido. Vale durante ${minutes} minutos y una sola vez.\n\n¿No lo ha pedido? Entonces no tiene que hacer nada; no dé el código a nadie.`,
  },
  fr: {
    subject: (code) => `${code} est votre code`,
    text: (code, pool, minutes) =>
      `Votre code pour ${pool} : ${code}\n\nSaisissez-le sur la page où vous l’avez demandé. Il est valable ${minutes} minutes, une seule fois.\n\nVous ne l’avez pas demandé ? Vous n’avez rien à faire ; ne donnez ce code à personne.`,
  },
  cs: {
    subject: (code) => `${code} je váš kód`,
    text: (code, pool, minutes) =>
      `Váš kód pro ${pool}: ${code}\n\nZadejte ho na stránce, na které jste o něj požádali. Platí ${minutes} minut a jen jednou.\n\nNežádali jste o něj? Pak nemusíte nic dělat; kód prosím nikomu nedávejte.`,
  },
  ar: {
    subject: (code) => `${code} هو رمزك`,
    text: (code, pool, minutes) =>
      `رمزك لدى ${pool}: ‎${code}\n\nأدخله في الصفحة التي طلبته فيها. يصلح لمدة ${minutes} دقائق ولمرة واحدة.\n\nلم تطلبه؟ إذن لا حاجة إلى فعل أي شيء، ولا تعطِ الرمز لأحد.`,
  },
} as const satisfies Record<string, CodeMailTexts>;

/** The mail with a code, in the language of the page. */
export function codeMail(
  code: string,
  { poolName, language }: { readonly poolName: string; readonly language: string },
): { readonly subject: string; readonly text: string } {
  const texts = mails[textLanguage(language)];
  return { subject: texts.subject(code), text: texts.text(code, poolName, codeMinutes) };
}

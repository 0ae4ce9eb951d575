/** The words for returning guests; the other languages have the same keys. */
export const english = {
  title: 'Welcome back',
  askIntro:
    'Enter the e-mail address with which you signed last time. If what you signed is still valid, you get a code by mail and need not sign again.',
  email: 'Your e-mail address',
  emailWrong: 'Please enter an e-mail address.',
  send: 'Send the code',
  codeTitle: 'Enter the code',
  codeIntro: (email: string) =>
    `If something valid was signed with ${email}, a code is on its way. It works for ten minutes.`,
  code: 'Code from the mail, six digits',
  codeWrong: 'This code is not right. Please look at the mail again.',
  codeEnded: 'This code no longer works. Please ask for another one.',
  tooMany: 'Too many codes were asked for. Please try again later, or sign.',
  otherCode: 'Ask for another code',
  signInstead: 'Sign again instead',
  none: 'There is nothing that could be confirmed for this visit. Please sign again.',
  confirmTitle: 'Is everything still right?',
  whoComes: 'Who comes this time?',
  noneChosen: 'Please choose who comes.',
  inBooking: (name: string) => `${name} in the booking`,
  signedOn: (form: string, day: string) => `${form}, signed on ${day}`,
  validUntil: (day: string) => `Valid until ${day}`,
  answers: 'Your answers then',
  readAgain: 'Read again what was signed',
  unread: 'The text could not be loaded. Please try again.',
  healthNo: 'No, nothing has changed',
  healthYes: 'Yes, something has changed',
  healthMissing: 'Please answer this, too.',
  confirm: 'Yes, confirm',
  changed: 'No, something has changed',
  changedHelp: 'You then go through the form, with your answers filled in.',
  offline: 'There is no connection. Please try again.',
  signAgain: 'What was signed before no longer fits this visit. Please sign again.',
};

export type ReturningTexts = typeof english;

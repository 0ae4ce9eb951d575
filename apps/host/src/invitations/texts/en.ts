import type { InvitationWords } from './words.ts';

export const en: InvitationWords = {
  subject: 'Please sign before {activity} on {date}',
  text: `Hello {name},

on {date} at {time} you are coming to us: {activity}. Please read and sign our form before that, on your phone or computer. It takes a minute or two, and saves you the wait at the desk.

{link}

See you soon
{operator}`,
  group:
    'The link is for everyone in your booking. Please pass it on to those who have yet to sign; it shows who has.',
  sign: 'Read and sign',
  noName: 'there',
  noActivity: 'your activity',
  because: 'You get this message because of a booking with {operator}.',
  unsubscribe: 'No more messages like this',
  copy: {
    subject: 'Your copy of what you signed: {operator}',
    text: `Hello,

thank you for signing. With this link you can read and print what you signed, whenever you like:

{link}

It works as long as {operator} keeps what you signed. Whoever has the link can read it, so please keep it to yourself.

{operator}`,
    open: 'Open my copy',
    because: 'You get this message because this address was given when something was signed for {operator}.',
  },
  page: {
    title: 'Messages before your visit',
    question: 'Do you want no more e-mail from {operator} that asks you to sign before a visit?',
    confirm: 'No more messages',
    done: 'Done. {operator} will not write to this address again to ask for a signature.',
    unknown: 'This link is not complete. Please open it from the message again.',
  },
};

import { count } from '../formats.ts';

export interface SentTo {
  readonly email: string;
  readonly guests: number;
}

export interface LeftOut {
  readonly email: string | null;
  readonly guests: number;
  readonly reason: string;
}

const leftOutReasons: Readonly<Record<string, string>> = {
  known: 'has got it',
  'too-many': 'has got three today',
  refused: 'refuses mail',
  unsubscribed: 'has unsubscribed',
  erased: 'was erased',
  'no-address': 'no e-mail address',
  signed: 'nobody is left to sign',
};

const guestCount = (guests: number) => (guests === 1 ? '1 guest' : `${count(guests)} guests`);

const sentTo = ({ email, guests }: SentTo) => (guests === 1 ? email : `${email} (${guestCount(guests)})`);

const leftOut = ({ email, guests, reason }: LeftOut) => {
  const said = leftOutReasons[reason] ?? reason;
  if (email !== null) return `${email} ${said}`;
  return guests === 0 ? said : `${guestCount(guests)}: ${said}`;
};

export const invitationsTexts = {
  invitations: {
    send: 'Send link',
    sendTo: (name: string) => `Send ${name} the link`,
    sendTitle: 'Send the link by e-mail?',
    sendLead:
      'To all guests who have not signed: each at their own address, and to the booker for those without one.',
    sendGuestLead: 'To the guest’s own address, or to the booker’s if there is none.',
    sendNow: 'Send',
    sent: (sent: readonly SentTo[], notSent: readonly LeftOut[]) =>
      [
        sent.length === 0 ? 'Nothing is sent' : `On its way to ${sent.map(sentTo).join(', ')}`,
        ...notSent.map(leftOut),
      ].join('. '),
  },
} as const;

import { count } from '../formats.ts';

export interface SentTo {
  readonly email: string;
  readonly guests: number;
}

export interface NotSent {
  readonly email: string | null;
  readonly guests: number;
  readonly reason: string;
}

const notSentReasons: Readonly<Record<string, string>> = {
  known: 'already received it',
  'too-many': 'received three today',
  refused: 'refuses mail',
  unsubscribed: 'has unsubscribed',
  erased: 'was erased',
  'no-address': 'no e-mail address that mail can be sent to',
  signed: 'everyone has signed',
};

const reasons: Readonly<Record<string, string>> = {
  signed: 'All had signed',
  cancelled: 'The booking was cancelled',
  gone: 'The booking was gone',
  moved: 'The booking was moved',
  'address-changed': 'The address was no longer in the booking',
  'switched-off': 'Switched off',
  uninstalled: 'The booking system was uninstalled',
  'no-form': 'No form for the activity',
  'too-late': 'The visit had begun',
  'later-occasion': 'A later message was due',
  'quiet-hours': 'Quiet hours until the visit',
  'link-revoked': 'The link was revoked',
  refused: 'The address refuses mail',
  unsubscribed: 'Unsubscribed',
};

const problems: Readonly<Record<string, string>> = {
  'no-form': 'no published form for its activity',
  'no-address': 'guests without an e-mail address that mail can be sent to',
  unread: 'cannot be read now',
  'quiet-hours': 'quiet hours until it begins',
};

const guestCount = (guests: number) => (guests === 1 ? '1 guest' : `${count(guests)} guests`);

const sentTo = ({ email, guests }: SentTo) => (guests === 1 ? email : `${email} (${guestCount(guests)})`);

const describeNotSent = ({ email, guests, reason }: NotSent) => {
  const said = notSentReasons[reason] ?? reason;
  if (email !== null) return `${email} ${said}`;
  return guests === 0 ? said : `${guestCount(guests)}: ${said}`;
};

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`;

export const invitationsTexts = {
  invitations: {
    saved: 'Saved',
    daysBefore: (days: number, hour: number) => `${count(days)} days before at ${clock(hour)}`,
    eveningBefore: (hour: number) => `the evening before at ${clock(hour)}`,
    morningOf: (hour: number) => `in the morning at ${clock(hour)}`,
    sender: 'Sender name',
    replyTo: 'Replies go to',
    quietHours: (from: number, until: number) => `${clock(from)} to ${clock(until)}`,
    obstacles: {
      no_mail_server: 'No mail server is set (SMTP_URL and ALERT_FROM).',
      no_form: 'The pool has no published form: there is nothing to sign.',
      no_booking_system: 'No booking system is installed.',
    },
    problem: (problem: string) => problems[problem] ?? problem,
    hour: 'Hour',
    language: 'Language',
    words: 'Texts',
    languages: {
      en: 'English',
      de: 'German',
      es: 'Spanish',
      fr: 'French',
      cs: 'Czech',
      ar: 'Arabic',
    },
    messages: 'Messages',
    booking: 'Booking',
    occasions: {
      'days-before': 'Days before',
      'evening-before': 'Evening before',
      'morning-of': 'Morning',
      staff: 'By staff',
    },
    states: {
      waiting: 'Waiting',
      sent: 'Sent',
      'in-doubt': 'In doubt',
      refused: 'Refused',
      'left-out': 'Left out',
      'given-up': 'Given up',
    },
    reason: (reason: string | null) => (reason === null ? undefined : (reasons[reason] ?? reason)),
    refusalReasons: { refused: 'Refused by the mail server', unsubscribed: 'Unsubscribed' },
    sent: (sent: readonly SentTo[], notSent: readonly NotSent[]) =>
      [
        sent.length === 0 ? 'Nothing is sent' : `On its way to ${sent.map(sentTo).join(', ')}`,
        ...notSent.map(describeNotSent),
      ].join('. '),
  },
} as const;

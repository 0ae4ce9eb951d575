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
    title: 'E-mail to guests',
    lead: 'Guests who have not signed are asked to before they come, each with their own link.',
    change: 'Change',
    settings: 'E-mail to guests',
    saved: 'Saved',
    status: 'Status',
    on: 'On',
    off: 'Off',
    when: 'When',
    never: 'Never: no occasion is chosen',
    daysBefore: (days: number, hour: number) => `${count(days)} days before at ${clock(hour)}`,
    eveningBefore: (hour: number) => `the evening before at ${clock(hour)}`,
    morningOf: (hour: number) => `in the morning at ${clock(hour)}`,
    sender: 'Sender name',
    replyTo: 'Replies go to',
    quiet: 'Quiet hours',
    quietHours: (from: number, until: number) => `${clock(from)} to ${clock(until)}`,
    noQuietHours: 'None',
    obstacles: {
      no_mail_server: 'No mail server is set (SMTP_URL and ALERT_FROM).',
      no_form: 'The pool has no published form: there is nothing to sign.',
      no_booking_system: 'No booking system is installed.',
    },
    nothingSent: 'Nothing is sent',
    uninvited: 'Upcoming bookings without a message',
    problem: (problem: string) => problems[problem] ?? problem,
    enable: 'Ask guests to sign',
    enableHint:
      'When you switch it on, guests of upcoming bookings whose time has come receive a message at once.',
    useDaysBefore: 'Some days before',
    days: 'Days',
    useEvening: 'The evening before',
    useMorning: 'The morning of the visit',
    hour: 'Hour',
    senderHint: 'Leave empty for the pool’s name. The address is ALERT_FROM.',
    replyHint: 'Leave empty for ALERT_FROM.',
    language: 'Language',
    languageHint: 'For guests whose language is not in the booking.',
    ofForm: 'The first of the form',
    useQuiet: 'Quiet hours',
    quietHint: 'Nothing is sent during these hours. What is due is sent afterwards.',
    from: 'From',
    until: 'Until',
    words: 'Texts',
    wordsLead:
      'Placeholders: {name}, {activity}, {date}, {time}, {operator}, and {link}, which the text must contain. An empty text returns to the default.',
    subject: 'Subject',
    text: 'Text',
    preview: 'Preview',
    previewOf: (subject: string) => `Subject: ${subject}`,
    languages: {
      en: 'English',
      de: 'German',
      es: 'Spanish',
      fr: 'French',
      cs: 'Czech',
      ar: 'Arabic',
    },
    messages: 'Messages',
    messagesLead: (pool: string) => `E-mail that asked guests of ${pool} to sign.`,
    noMessages: 'No messages',
    noMessagesHint: 'What is sent to guests is listed here.',
    booking: 'Booking',
    occasion: 'Occasion',
    occasions: {
      'days-before': 'Days before',
      'evening-before': 'Evening before',
      'morning-of': 'Morning',
      staff: 'By staff',
    },
    address: 'Address',
    guests: 'Guests',
    state: 'State',
    created: 'Created',
    states: {
      waiting: 'Waiting',
      sent: 'Sent',
      'in-doubt': 'In doubt',
      refused: 'Refused',
      'left-out': 'Left out',
      'given-up': 'Given up',
    },
    reason: (reason: string | null) => (reason === null ? undefined : (reasons[reason] ?? reason)),
    inDoubtHint: 'May have arrived; not sent again',
    hidden: 'Hidden',
    refusals: 'Addresses that receive no more messages',
    noRefusals: 'None',
    noRefusalsHint: 'Addresses that the mail server refuses, and those that unsubscribe, are listed here.',
    refusalReasons: { refused: 'Refused by the mail server', unsubscribed: 'Unsubscribed' },
    erasedAddress: 'An erased address',
    lift: 'Write again',
    liftLead: 'The address will receive messages again.',
    liftUnsubscribedLead:
      'Its owner unsubscribed. Do this only if they asked you to: the address will receive messages again.',
    lifted: 'The address will receive messages again',
    send: 'Send link',
    sendTo: (name: string) => `Send link to ${name}`,
    sendOf: (reference: string) => `Send link of booking ${reference}`,
    sendTitle: 'Send the link by e-mail?',
    sendLead:
      'To all guests who have not signed: each at their own address, and to the booker for those without one.',
    sendGuestLead: 'To the guest’s own address, or to the booker’s if there is none.',
    sendNow: 'Send',
    sentOf: 'Messages of this booking',
    sent: (sent: readonly SentTo[], notSent: readonly NotSent[]) =>
      [
        sent.length === 0 ? 'Nothing is sent' : `On its way to ${sent.map(sentTo).join(', ')}`,
        ...notSent.map(describeNotSent),
      ].join('. '),
  },
} as const;

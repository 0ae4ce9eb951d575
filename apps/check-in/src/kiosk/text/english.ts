/** The words of the kiosk. The form's texts come with the form. */
export const english = {
  pair: {
    title: 'Pair this tablet',
    intro: 'In the console, open the page of the pool, add a kiosk, and type the code that it shows here.',
    code: 'Code',
    pair: 'Pair',
    pairing: 'Pairing…',
    wrong: 'This code is wrong, was used, or is older than ten minutes. Make a new one in the console.',
    tooMany: 'Too many wrong codes. Please wait a minute.',
    offline: 'There is no connection. A tablet is paired while there is one.',
    cannotKeep:
      'This browser cannot keep what guests sign. Use another one, over HTTPS and not in a private window.',
    ended: 'This kiosk was revoked, or paired on another tablet. What waits here is still sent.',
  },
  start: {
    title: 'Welcome! Please sign here.',
    search: 'Your first name or booking number',
    sessions: 'What are you here for?',
    chooseBooking: 'Which booking is yours?',
    noName: 'Names not known yet',
    count: (signed: number, expected: number) => `${signed} of ${expected} signed`,
    nothingFound: 'Nothing was found. Please ask the team, or sign without a booking.',
    noBookings: 'No bookings are listed for today.',
    walkIn: 'Sign without a booking',
    back: 'All times',
    fullScreen: 'Full screen',
    team: 'For the team',
    asOf: (time: string) => `List of ${time}`,
    noForm: 'There is nothing to sign for this yet. Please ask the team.',
  },
  idle: {
    title: 'Are you still there?',
    text: (seconds: number) => `In ${seconds} s everything that was entered is deleted, for the next guest.`,
    goOn: 'Continue',
  },
  done: {
    kept: 'Your signature is kept on this tablet and sent as soon as there is a connection.',
    next: 'Next guest',
  },
  staff: {
    title: 'For the team',
    pin: 'PIN',
    open: 'Open',
    checking: 'Checking…',
    wrong: 'This PIN is wrong.',
    wait: (minutes: number) => `Too many wrong PINs. Please try again in ${minutes} min.`,
    close: 'Back to the guests',
    waits: (count: number, since: string) => `Signings that wait here: ${count}, since ${since}`,
    nothingWaits: 'Nothing waits on this tablet.',
    sendNow: 'Send now',
    updated: (time: string) => `The list is of ${time}.`,
    leaveFullScreen: 'Leave full screen',
    unpair: 'End the kiosk',
    unpairQuestion: 'End the kiosk on this tablet?',
    unpairText: 'It needs a new code then. What waits here stays, and is sent when this page is open.',
    cancel: 'Cancel',
  },
};

/** The kiosk's words in one language. */
export type KioskWords = typeof english;

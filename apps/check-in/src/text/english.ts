/** The page's words. The form's texts come with the form. */
export const english = {
  loading: 'Loading…',
  language: 'Language',
  step: (step: number, steps: number) => `Step ${step} of ${steps}`,
  next: 'Continue',
  back: 'Back',
  optional: 'optional',
  notKept: 'This browser does not keep what you enter. Please finish without closing or reloading this page.',
  onlineOnly:
    'This browser cannot keep your signature while there is no connection. Please stay online until it says thank you.',
  languageChanged: 'You changed the language: please agree and sign again in this one.',
  bindingLanguage: (language: string) =>
    `The binding text is the one in ${language}; this translation is for your convenience.`,
  signedLanguages:
    'Your browser translates this page, but not the texts that you sign. They can be read and signed in:',
  startAgain: 'Start again',
  startAgainQuestion: 'Delete what was entered and start again?',
  startAgainConfirm: 'Delete and start again',
  cancel: 'Cancel',
  you: 'You',
  child: (number: number) => `Child ${number}`,

  who: {
    title: 'Who are you?',
    returning: 'I have been here before',
    signingFor: 'Who are you signing for?',
    self: 'Myself',
    both: 'Myself and children',
    children: 'Children only',
    childrenHelp: 'You are their parent or guardian and do not take part.',
    whichGuest: 'Which of these are you?',
    hasSigned: 'has signed',
    notListed: 'I am not on this list',
    guardianName: 'Your full name',
    relationship: 'Your relationship to the children',
    relationshipHelp: 'For example mother, father or legal guardian',
    dateOfBirth: 'Your date of birth',
    ofAge: (years: number) => `I am ${years} or older.`,
  },

  children: {
    title: 'Your children',
    intro: (majority: number) => `Everyone under ${majority} for whom you sign.`,
    whichGuest: 'Their name in the booking',
    notListed: 'Not on the list',
    add: 'Add another child',
    remove: (name: string) => `Remove ${name}`,
    atMost: (count: number) => `One person can sign for ${count} children at most.`,
  },

  fields: {
    yes: 'Yes',
    no: 'No',
    choose: 'Please choose',
    day: 'Day',
    month: 'Month',
    year: 'Year',
    initials: 'Your initials',
    initialsHelp: 'They show that you have read this section.',
    photo: 'Take or choose a photo',
    otherPhoto: 'Take another photo',
    photoWorking: 'Preparing the photo…',
    photoFailed: 'This file could not be read as a photo. Please choose another.',
    photoLimit: 'That is too many photos for one signing.',
  },

  signature: {
    how: 'Draw or type, as you like: both count the same.',
    draw: 'Draw',
    type: 'Type',
    drawHere: 'Draw your signature here',
    typeHere: 'Type your full name',
    clear: 'Clear',
    empty: 'Nothing is drawn yet.',
    drawn: 'Your signature is drawn.',
    of: (name: string) => `Signature of ${name}`,
    ofGuardian: (name: string) =>
      name === '' ? 'Signature of the parent or guardian' : `Signature of ${name}, parent or guardian`,
    isFull: 'The drawing is full. Clear it to draw again.',
  },

  check: {
    title: 'Is everything right?',
    intro: 'Nothing is final yet. You can still change everything.',
    change: 'Change',
    agreed: 'Agreed',
    notAgreed: 'Not agreed',
    initials: (initials: string) => `Read, initials ${initials}`,
    send: 'Confirm and send',
    sending: 'Sending…',
    sendAgain: 'Send again',
  },

  done: {
    title: 'All signed. Thank you!',
    signedFor: (names: string) => `Signed for ${names}.`,
    next: 'The team sees that you have signed; there is nothing to print or to show.',
    waits:
      'There is no connection right now. Your signature is safe on this device, locked so that only the service can read it. It is sent as soon as there is a connection: leave this page open, or open it again later. Your copy appears here once it has been sent.',
    copy: 'Open your copy',
    copyLasts:
      'This link to what you signed lasts: save it, or send it to yourself. Whoever has it can read it.',
    noCopy: 'Please ask the team for a copy of what you signed.',
    another: 'Sign for another person',
    nextGuest: 'Next guest',
  },

  waiting: {
    count: (count: number) =>
      count === 1
        ? '1 signing waits on this device and is sent as soon as there is a connection.'
        : `${count} signings wait on this device and are sent as soon as there is a connection.`,
    stuck: (count: number) =>
      count === 1
        ? '1 signing could not be delivered. It is kept: please show this page to the team.'
        : `${count} signings could not be delivered. They are kept: please show this page to the team.`,
    sent: 'What waited on this device was sent.',
  },

  changed: {
    title: 'The form has changed',
    intro:
      'A new version was published since you opened this page. Your answers are kept. Please read what is new, then go on and sign this version.',
    added: 'New',
    reworded: 'Changed',
    removed: 'No longer asked',
    small: 'Only the order or the rules of the form have changed.',
  },

  trouble: {
    tryAgain: 'Try again',
    offline: {
      title: 'No connection',
      text: 'This could not be sent. Please keep this page open: it is sent as soon as there is a connection; you can also try again yourself.',
    },
    offlineAtStart: {
      title: 'No connection',
      text: 'The form could not be loaded. Please check your connection and try again.',
    },
    unavailable: {
      title: 'This did not work',
      text: 'The service has a problem right now. What you entered is kept; please try again in a minute.',
    },
    tooManyRequests: {
      title: 'Just a moment',
      text: 'Many people are signing at this moment. Please try again in a minute.',
    },
    tooLarge: {
      title: 'The photos are too large',
      text: 'Please go back and choose a smaller photo.',
    },
    linkUnknown: {
      title: 'This link does not work',
      text: 'It may be incomplete. Please open the whole link from your message, or ask the team.',
    },
    linkExpired: {
      title: 'This link has expired',
      text: 'Please ask the team for a new link, or sign at the desk.',
    },
    linkRevoked: {
      title: 'This link is no longer valid',
      text: 'Please ask the team for a new link, or sign at the desk.',
    },
    bookingGone: {
      title: 'This booking is no longer there',
      text: 'It was cancelled or moved. Please ask the team.',
    },
    noForm: {
      title: 'There is nothing to sign here yet',
      text: 'No form is ready for this activity. Please ask the team.',
    },
    alreadySigned: {
      title: 'Already signed',
      text: 'For this person a signature is already here. There is nothing else to do.',
    },
    everyoneSigned: {
      title: 'Already signed',
      text: 'Everyone in this booking has signed. There is nothing else to do.',
    },
    signingExists: {
      title: 'This is not sent yet',
      text: 'Something else was signed before under the same number, perhaps in another tab. Everything you entered is still here: please look it over and send it again. It then counts as a signing of its own.',
    },
    guestNotOfLink: {
      title: 'The booking has changed',
      text: 'The person you chose is no longer in this booking. Please go back and choose again.',
    },
    preview: { title: 'This is a preview', text: 'Guests sign here. Nothing was sent or stored.' },
    refused: {
      title: 'This could not be accepted',
      text: 'Please look through your answers again, or ask the team.',
    },
    failed: {
      title: 'This page could not be shown',
      text: 'What you entered is kept. Please reload the page; if that does not help, sign at the desk.',
    },
  },
};

export type Words = typeof english;

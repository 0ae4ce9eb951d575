/** A check's requests, for a person to read before it starts. */
export interface SentByCheck {
  readonly reads: readonly string[];
  /** Only with `write`. */
  readonly writes: readonly string[];
}

/** @param pathShape - with `query`, no id in a path is tested */
export function sentByCheck(pathShape: 'path' | 'query'): SentByCheck {
  return {
    reads: [
      'It reads the booking.',
      ...(pathShape === 'path'
        ? ['It reads the booking with every character of its id percent-encoded.']
        : []),
      'It asks for the booking without a key, and with a wrong key: both should be refused. The booking system may note that as two failed log-ins.',
      'It asks for two bookings that are not there.',
    ],
    writes: [
      'It sends Guest Updates of two made-up waivers, one of them with a very long id, and a later version of the first. None names a person.',
      'It sends one of them with a wrong key, which should be refused.',
      'In the end it voids both waivers. Whatever the booking system does with a waiver, such as a note or a mail, it may do for these: choose a booking that is meant for tests.',
    ],
  };
}

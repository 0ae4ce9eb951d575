import { useState } from 'preact/hooks';
import { onText } from '../fields/field.tsx';
import { guestKey } from '../outbox/waiting.ts';
import { useWaiting } from '../screens/frame.tsx';
import { formatTime } from '../text/formats.ts';
import { fill } from '../text/words.ts';
import { findBookings, type KioskBooking, type KioskSession, sessionsOf } from './day.ts';
import { canFillScreen, fillScreen, type KnownDay } from './device.ts';
import { LeftAlone } from './idle.tsx';
import type { KioskWords } from './text/words.ts';

interface StartProps {
  readonly words: KioskWords;
  readonly language: string;
  readonly known: KnownDay;
  /** Null: without a booking. */
  readonly onChoose: (booking: KioskBooking | null) => void;
  readonly onTeam: () => void;
  /** Whether the language is the tablet's own. */
  readonly isOwnLanguage: boolean;
  /** Empties this screen, for the next guest. */
  readonly onLeftAlone: () => void;
}

/** The first screen: choose a session and booking, or none. */
export function Start(props: StartProps) {
  const { words, language, known, onChoose, onTeam, isOwnLanguage, onLeftAlone } = props;
  const { day, at } = known;
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<string>();
  const sessions = sessionsOf(day);
  const session =
    sessions.find(({ key }) => key === chosen) ?? (sessions.length === 1 ? sessions[0] : undefined);
  const isSearching = search.trim() !== '';
  const shown = isSearching ? findBookings(day.bookings, search) : session?.bookings;
  const isUntouched = search === '' && chosen === undefined && isOwnLanguage;
  const isFull = document.fullscreenElement !== null;
  return (
    <>
      {day.bookings.length > 0 ? (
        <div class="field">
          <label class="label" for="kiosk-search">
            {words.start.search}
          </label>
          <input
            id="kiosk-search"
            type="search"
            autocomplete="off"
            spellcheck={false}
            maxLength={100}
            value={search}
            {...onText(setSearch)}
          />
        </div>
      ) : (
        <p class="intro">{words.start.noBookings}</p>
      )}
      {shown === undefined ? (
        <Sessions
          {...{ words, language, sessions }}
          timeZone={day.timeZone}
          onChoose={({ key }) => setChosen(key)}
        />
      ) : (
        <section aria-labelledby="kiosk-bookings">
          <h2 id="kiosk-bookings">{words.start.chooseBooking}</h2>
          {!isSearching && sessions.length > 1 && (
            <button type="button" class="quiet" onClick={() => setChosen(undefined)}>
              {words.start.back}
            </button>
          )}
          <Bookings words={words} bookings={shown} onChoose={onChoose} />
        </section>
      )}
      <div class="kiosk-actions">
        {day.walkInForm !== null && (
          <button type="button" class="secondary" onClick={() => onChoose(null)}>
            {words.start.walkIn}
          </button>
        )}
        {canFillScreen() && !isFull && (
          <button type="button" class="quiet" onClick={fillScreen}>
            {words.start.fullScreen}
          </button>
        )}
        <button type="button" class="quiet" onClick={onTeam}>
          {words.start.team}
        </button>
      </div>
      <p class="help">{fill(words.start.asOf, { time: formatTime(language, at, day.timeZone) })}</p>
      {!isUntouched && <LeftAlone afterS={day.kiosk.returnAfterS} onReturn={onLeftAlone} />}
    </>
  );
}

interface SessionsProps {
  readonly words: KioskWords;
  readonly language: string;
  readonly timeZone: string;
  readonly sessions: readonly KioskSession[];
  readonly onChoose: (session: KioskSession) => void;
}

function Sessions({ words, language, timeZone, sessions, onChoose }: SessionsProps) {
  if (sessions.length === 0) return null;
  return (
    <section aria-labelledby="kiosk-sessions">
      <h2 id="kiosk-sessions">{words.start.sessions}</h2>
      <ul class="tiles">
        {sessions.map((session) => (
          <li key={session.key}>
            <button type="button" class="tile" onClick={() => onChoose(session)}>
              <strong>{formatTime(language, session.startsAt, timeZone)}</strong>
              <bdi>{session.activityName}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface BookingsProps {
  readonly words: KioskWords;
  readonly bookings: readonly KioskBooking[];
  readonly onChoose: (booking: KioskBooking) => void;
}

function Bookings({ words, bookings, onChoose }: BookingsProps) {
  const { guests: waiting } = useWaiting();
  if (bookings.length === 0) return <p class="note">{words.start.nothingFound}</p>;
  const waitingOf = (booking: KioskBooking) =>
    booking.guests.filter(
      ({ bookingGuestId, signed }) => !signed && waiting.includes(guestKey(booking, bookingGuestId)),
    ).length;
  return (
    <ul class="tiles">
      {bookings.map((booking) => (
        <li key={`${booking.bookingSystem} ${booking.bookingId}`}>
          <button type="button" class="tile" onClick={() => onChoose(booking)}>
            <strong>
              {booking.guests.length === 0
                ? words.start.noName
                : booking.guests.map(({ label, bookingGuestId }, index) => (
                    <span key={bookingGuestId}>
                      {index > 0 && ', '}
                      <bdi>{label}</bdi>
                    </span>
                  ))}
            </strong>
            <span>
              <bdi>{booking.reference}</bdi>
            </span>
            <span class="tag">
              {fill(words.start.count, {
                signed: booking.signed + waitingOf(booking),
                expected: booking.expected,
              })}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

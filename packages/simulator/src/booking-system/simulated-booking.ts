/** A guest of a simulated booking; may have only an id or only a name. */
export interface SimulatedGuest {
  readonly id?: string;
  readonly name?: string;
  readonly email?: string | null;
  readonly phoneNumber?: string | null;
  readonly [property: string]: unknown;
}

/** A booked activity and its time: UTC, ISO 8601. */
export interface SimulatedSession {
  readonly startsAt: string;
  readonly endsAt: string;
  readonly activityId: string;
  readonly activityName: string;
}

/** A booking of the simulated booking system. Additional properties are served unchanged. */
export interface SimulatedBooking {
  readonly id: string;
  readonly status: string;
  readonly contact: { readonly name: string; readonly email?: string; readonly phoneNumber?: string };
  readonly pax: number;
  readonly guests: readonly SimulatedGuest[];
  readonly bookedSessions: readonly SimulatedSession[];
  readonly notes?: string | null;
  readonly [property: string]: unknown;
}

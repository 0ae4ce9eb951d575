import type { LastVisitSource } from '../database/tables-outbox.ts';

/** Any JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/** A guest's answers, by property name. */
export type Answers = Readonly<Record<string, JsonValue>>;

/** One guest's waiver, as it is stored. */
export interface WaiverRecord {
  readonly id: string;
  readonly pool: string;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  readonly bookingGuestId: string | null;
  readonly activities: readonly string[];
  readonly lastVisit: Date;
  /** The step of a multi-step waiver, null when it is finished. */
  readonly currentPage: string | null;
  readonly answers: Answers;
  /** Voided. */
  readonly deleted: boolean;
  readonly createdAt: Date;
  /** Strictly increasing per record, in milliseconds. */
  readonly updatedAt: Date;
  readonly version: number;
}

/** A record, and what only the store knows of it. */
export interface WaiverState extends WaiverRecord {
  readonly lastVisitSource: LastVisitSource;
}

/** A record that is to be made. */
export interface NewWaiver {
  /** A UUID version 7 is made where none is given. */
  readonly id?: string | undefined;
  readonly pool: string;
  readonly bookingSystem: string | null;
  readonly bookingId: string | null;
  readonly bookingGuestId: string | null;
  readonly activities: readonly string[];
  /** Taken from the booking's sessions where it is not given. */
  readonly lastVisit?: Date | undefined;
  readonly currentPage: string | null;
  readonly answers: Answers;
}

/** What changes of a record: `undefined` leaves, null removes. Answers are merged, null removes one. */
export interface WaiverChange {
  readonly bookingSystem?: string | null | undefined;
  readonly bookingId?: string | null | undefined;
  readonly bookingGuestId?: string | null | undefined;
  readonly activities?: readonly string[] | null | undefined;
  readonly lastVisit?: Date | null | undefined;
  readonly currentPage?: string | null | undefined;
  readonly answers?: Answers | undefined;
}

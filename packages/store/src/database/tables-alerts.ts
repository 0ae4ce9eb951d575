import type { ColumnType, Generated } from 'kysely';

type CreatedAt = ColumnType<Date, never, never>;
type UpdatedAt = ColumnType<Date, Date | undefined, Date>;

/** Who is told when something goes wrong: either at a URL or at a mail address. */
export interface AlertTable {
  id: string;
  name: string;
  url: string | null;
  auth_encrypted: string | null;
  signing_secret_encrypted: string | null;
  email: string | null;
  events: string[];
  /** Null: all, and what belongs to none. */
  pools: string[] | null;
  /** The destination of kind `alert`. */
  destination_id: string;
  created_at: CreatedAt;
  updated_at: UpdatedAt;
}

/** Events that happened once, until the alerts know of them. */
export interface AlertOccurrenceTable {
  id: Generated<string>;
  event: string;
  /** The destination, or the name of a fault. */
  subject: string;
  pool: string | null;
  occurred: number;
  detail: string | null;
  at: Generated<Date>;
}

/** The tables of alerts. `alert_topic` and `sent_alert` are used in SQL only. */
export interface AlertTables {
  alert: AlertTable;
  alert_occurrence: AlertOccurrenceTable;
}

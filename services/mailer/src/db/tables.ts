import type { EventName } from "@latchkey/contracts";
import type { KitTables, WrittenOnce } from "@latchkey/service-kit";
import type { ColumnType } from "kysely";

/**
 * `queued`: not tried yet. `sending`: one process is at it until `leaseUntil`. `retrying`: it will be tried again.
 * `sent`: the SMTP server took it. `captured`: kept here because there is no SMTP server. `failed`: given up.
 */
export type DeliveryState = "queued" | "sending" | "retrying" | "sent" | "captured" | "failed";

/** Those in which nothing more is done about a mail. */
export type SettledState = Extract<DeliveryState, "sent" | "captured" | "failed">;

export interface DeliveryTable {
  id: WrittenOnce<string>;
  /** The event that asked for it; one mail for one event. */
  eventId: WrittenOnce<string>;
  /** The name of that event; null in rows of earlier versions. */
  event: WrittenOnce<EventName | null>;
  recipient: WrittenOnce<string>;
  subject: WrittenOnce<string>;
  /** Text and HTML, sealed, because they hold a link. */
  contentSealed: WrittenOnce<string>;
  state: DeliveryState;
  attempts: number;
  /** How many tries there had been when an admin last gave the mail all of them again. */
  attemptsForgiven: ColumnType<number, undefined, number>;
  lastError: string | null;
  leaseUntil: Date | null;
  createdAt: WrittenOnce<Date>;
  /** When it was sent, captured or given up. */
  settledAt: Date | null;
}

/** How many mails were settled on a day of UTC, by how. */
export interface DeliveryDayTable {
  day: WrittenOnce<string>;
  sent: number;
  failed: number;
  captured: number;
}

export interface Tables extends KitTables {
  delivery: DeliveryTable;
  deliveryDay: DeliveryDayTable;
}

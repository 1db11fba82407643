import { comparableEmail, emailSearchTerm } from "@latchkey/contracts";
import {
  containsAddress,
  equalsLead,
  hasTrigram,
  type List,
  selectColumns,
  startsWithText,
} from "@latchkey/service-kit/lists";
import type { DayRange } from "@latchkey/service-kit/statistics";
import { type Kysely, type Selectable, sql } from "kysely";
import {
  type Channel,
  type DeliveryAttemptTable,
  type DeliveryState,
  schema,
  type Tables,
} from "../db/tables.ts";

/** A mail without its content. */
export interface DeliveryRow {
  id: string;
  channel: Channel;
  recipient: string;
  subject: string;
  event: string | null;
  state: DeliveryState;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

const shown = [
  "delivery.id",
  "delivery.channel",
  "delivery.recipient",
  "delivery.subject",
  "delivery.event",
  "delivery.state",
  "delivery.attempts",
  "delivery.lastError",
  "delivery.createdAt",
  "delivery.settledAt",
] as const;

/** The filters of a list of mails. */
export interface DeliveryFilter {
  /** Part of the recipient's address, case-insensitive. A whole domain may be in Unicode. */
  recipient?: string | undefined;
  /** The whole address, case-insensitive. */
  recipientIs?: string | undefined;
  state?: DeliveryState | undefined;
}

const address = sql`lower(recipient)`;

/** All mails, newest first by default. A term that is too short for trigrams must be at the beginning of the address. */
export const deliveryList: List<DeliveryRow, DeliveryFilter> = {
  schema,
  table: "delivery",
  select: selectColumns(shown),
  keys: { createdAt: { sql: sql.ref("createdAt"), type: "time", isIndexed: true } },
  order: { by: "createdAt", direction: "desc" },
  where: ({ recipient = "", recipientIs, state }) => {
    const term = emailSearchTerm(recipient);
    return [
      recipientIs &&
        equalsLead(
          sql`${address} collate "C"`,
          sql`${comparableEmail(recipientIs)}::text collate "C"`,
        ),
      state && { ...equalsLead(sql.ref("state"), sql`${state}::text`), isMeasured: true },
      term && {
        sql: hasTrigram(term) ? containsAddress(address, term) : startsWithText(address, term),
        isSearch: true,
        isMeasured: true,
      },
    ];
  },
};

/** Returns a mail without its content. */
export const findShownDelivery = (
  db: Kysely<Tables>,
  id: string,
): Promise<DeliveryRow | undefined> =>
  db.selectFrom("delivery").select(shown).where("id", "=", id).executeTakeFirst();

export type AttemptRow = Omit<Selectable<DeliveryAttemptTable>, "deliveryId">;

/** Returns the attempts of a mail, latest first. */
export const listAttempts = (db: Kysely<Tables>, deliveryId: string): Promise<AttemptRow[]> =>
  db
    .selectFrom("deliveryAttempt")
    .select(["number", "startedAt", "endedAt", "outcome", "reason"])
    .where("deliveryId", "=", deliveryId)
    .orderBy("number", "desc")
    .execute();

/** Returns the latest mail of each of these invitations. */
export const listInvitationMails = (
  db: Kysely<Tables>,
  invitationIds: readonly string[],
): Promise<(DeliveryRow & { invitationId: string })[]> =>
  db
    .selectFrom("delivery")
    .distinctOn("delivery.invitationId")
    .select(shown)
    .select((eb) => eb.ref("delivery.invitationId").$notNull().as("invitationId"))
    .where("delivery.invitationId", "=", sql<string>`any(${[...invitationIds]}::text[])`)
    .orderBy("delivery.invitationId")
    .orderBy("delivery.createdAt", "desc")
    .orderBy("delivery.id", "desc")
    .execute();

/** Returns a mail with its encrypted content. */
export const findDelivery = (
  db: Kysely<Tables>,
  id: string,
): Promise<(DeliveryRow & { contentSealed: string }) | undefined> =>
  db
    .selectFrom("delivery")
    .select(shown)
    .select("contentSealed")
    .where("id", "=", id)
    .executeTakeFirst();

/** Restores all attempts of a failed mail. Returns undefined if there is no such failed mail. Of concurrent calls, one succeeds. */
export const updateFailed = (db: Kysely<Tables>, id: string): Promise<DeliveryRow | undefined> =>
  db
    .updateTable("delivery")
    .set((eb) => ({
      state: "retrying" as const,
      attemptsForgiven: eb.ref("attempts"),
      settledAt: null,
    }))
    .where("id", "=", id)
    .where("state", "=", "failed")
    .returning(shown)
    .executeTakeFirst();

/** Returns the number of settled mails by day and outcome, the first day first, without empty days. */
export const listDays = (
  db: Kysely<Tables>,
  { from, to }: DayRange,
): Promise<{ day: string; sent: number; failed: number; captured: number }[]> =>
  db
    .selectFrom("deliveryDay")
    .select(sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"))
    .select(["sent", "failed", "captured"])
    .where("deliveryDay.day", ">=", from)
    .where("deliveryDay.day", "<=", to)
    .orderBy("deliveryDay.day")
    .execute();

import { auditNames, type AuditRow } from "@latchkey/service-kit/audit";
import {
  compileOnce,
  namesOf,
  type Slots,
  snakeCase,
  withoutColumns,
} from "@latchkey/service-kit/database";
import { type NewOutboxRow, outboxNames, ownPublishedAt } from "@latchkey/service-kit/events";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { schema } from "../../db/schema.ts";
import { type Tables, userColumns } from "../../db/tables.ts";
import { insertRevisions, notifyOfRevisions } from "../../user-revisions/queries.ts";
import type { UserGuard, UserMembers } from "../queries.ts";
import type { UserRow } from "../user-row.ts";

interface UserUpdate {
  id: string;
  members: UserMembers;
  guard: UserGuard;
  now: Date;
  byLinkAlone: boolean;
  audit: AuditRow;
  /** An event whose effect this process applies itself after the commit. */
  ownEvent: NewOutboxRow | undefined;
}

type Grouped<Group extends string, Row> = {
  [Name in keyof Row & string as `${Group} ${Name}`]: Row[Name];
};

const grouped = <Group extends string, Row extends object>(group: Group, row: Row) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [`${group} ${name}`, value]),
  ) as Grouped<Group, Row>; // the same members, with the group in their names

/** `members`, `extra` and `guard` are JSON texts, the first and the last by the names of columns. */
type Values = Pick<UserUpdate, "id" | "now"> & {
  members: string;
  extra: string;
  guard: string;
  sessionCreatedAt: Date | undefined;
} & Grouped<"audit", AuditRow> &
  Partial<Grouped<"event", NewOutboxRow>>;

const columnsOf = (table: string, names: readonly string[]) =>
  sql.join(names.map((name) => sql.ref(`${table}.${name}`)));

const changeable = [
  ...namesOf(withoutColumns(userColumns, "id", "extra", "createdAt", "updatedAt", "revision")),
  "verifiedByLinkAlone",
];

/** Sets the members that the JSON names, if those that the guard names have its values. */
const changeRow = ({ id, members, extra, guard, sessionCreatedAt, now }: Slots<Values>) => sql`
  update ${sql.id(schema, "user")} as old set
    (${sql.join(changeable.map((name) => sql.ref(name)))}) =
      (select ${columnsOf("new", changeable)} from jsonb_populate_record(old, ${members}::jsonb) as new),
    extra = old.extra || ${extra}::jsonb,
    updated_at = ${now}::timestamptz,
    revision = old.revision + 1
  where old.id = ${id}
    and jsonb_populate_record(old, ${guard}::jsonb) is not distinct from old
    and (
      ${sessionCreatedAt}::timestamptz is null
      or old.sessions_ended_at is null
      or old.sessions_ended_at < ${sessionCreatedAt}::timestamptz
    )
  returning ${columnsOf("old", namesOf(userColumns))}`;

const place = <T>(slots: Slots<Values>, name: keyof Values): RawBuilder<T> =>
  slots[name] as RawBuilder<T>; // a column of the same type

const statement = compileOnce((db: Kysely<Tables>, slots: Slots<Values>) =>
  db
    .with("changed", () => sql<UserRow>`(${changeRow(slots)})`)
    .with("revised", () => sql`(${insertRevisions(sql`changed`, slots.now)})`)
    .with("audited", (part) =>
      part
        .insertInto("audit")
        .columns(auditNames)
        .expression((eb) =>
          eb
            .selectFrom("changed")
            .select(auditNames.map((name) => place(slots, `audit ${name}`).as(name))),
        ),
    )
    .with("noted", (part) =>
      part
        .insertInto("outbox")
        .columns([...outboxNames, "publishedAt"])
        .expression((eb) =>
          eb
            .selectFrom("changed")
            .select(outboxNames.map((name) => place(slots, `event ${name}`).as(name)))
            .select(ownPublishedAt.as("publishedAt"))
            .where(sql<boolean>`${place(slots, "event id")}::text is not null`),
        ),
    )
    .selectFrom(["changed", "revised"])
    .select(namesOf(userColumns).map((name) => `changed.${name}` as const))
    .select(notifyOfRevisions.as("notified")),
);

/** Writes members as JSON text by the names of their columns. */
const byColumn = (members: object): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(members).map(([name, value]) => [snakeCase(name), value])),
  );

/**
 * Changes a user if the guard still holds, else returns undefined. The same statement invalidates the user's cached sessions
 * and writes the audit row and the event, because each further one costs as much as the change. Rejects with a unique
 * violation if a new address, username or unique field is taken.
 */
export const updateUser = async (
  db: Kysely<Tables>,
  { id, members, guard, now, byLinkAlone, audit, ownEvent }: UserUpdate,
): Promise<UserRow | undefined> => {
  const { sessionCreatedAt, ...state } = guard;
  const { extra = {}, ...others } = members;
  const verification = "emailVerified" in members && { verifiedByLinkAlone: byLinkAlone };
  const changedRow = await statement.first(db, {
    id,
    now,
    members: byColumn({ ...others, ...verification }),
    extra: JSON.stringify(extra),
    guard: byColumn(state),
    sessionCreatedAt,
    ...grouped("audit", audit),
    ...(ownEvent && grouped("event", ownEvent)),
  });
  if (!changedRow) return undefined;
  const { notified: _, ...row } = changedRow;
  return row;
};

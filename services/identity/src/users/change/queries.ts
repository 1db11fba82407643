import {
  auditNames,
  type AuditRow,
  type CompiledOnce,
  compileOnce,
  createBoundedMemo,
  namesOf,
  type NewOutboxRow,
  outboxNames,
  ownPublishedAt,
  type Slots,
} from "@latchkey/service-kit";
import { type Kysely, type QueryCreator, type RawBuilder, sql } from "kysely";
import { type Tables, userColumns } from "../../db/tables.ts";
import { insertRevisions, notifyOfRevisions } from "../../user-revisions/queries.ts";
import type { UserGuard, UserMembers } from "../queries.ts";
import { userSelection, type UserRow } from "../user-row.ts";

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

/** The parts of an update that decide the statement's text. */
interface Shape {
  members: readonly string[];
  guard: readonly { name: string; isNull: boolean }[];
  checksClaim: boolean;
  hasOwnEvent: boolean;
}

/** Values by their places: `user name`, `guard email`, `audit action`, `event id`, and a few without a group. */
type Values = Record<string, unknown>;

const grouped = (group: string, values: object): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group} ${name}`, value]));

const place = <T>(slots: Slots<Values>, name: string): RawBuilder<T> =>
  slots[name] as RawBuilder<T>;

const changedMembers = (slots: Slots<Values>, { members }: Shape) => {
  const given = members
    .filter((name) => name !== "extra")
    .map((name) => [name, place(slots, `user ${name}`)] as const);
  return {
    ...Object.fromEntries(given),
    ...(members.includes("extra") && {
      extra: sql<string>`extra || ${place(slots, "extra")}::jsonb`,
    }),
    ...(members.includes("emailVerified") && {
      verifiedByLinkAlone: place<boolean>(slots, "byLinkAlone"),
    }),
  };
};

const updateRow = (db: QueryCreator<Tables>, slots: Slots<Values>, shape: Shape) =>
  db
    .updateTable("user")
    .set((eb) => ({
      ...changedMembers(slots, shape),
      updatedAt: place<Date>(slots, "now"),
      revision: eb("revision", "+", 1),
    }))
    .where("id", "=", place<string>(slots, "id"))
    .where((eb) =>
      eb.and(
        shape.guard.map(({ name, isNull }) => {
          const column = name as keyof UserGuard & keyof UserRow;
          return isNull
            ? eb(column, "is", null)
            : eb(column, "=", place<never>(slots, `guard ${name}`));
        }),
      ),
    )
    .$if(shape.checksClaim, (query) =>
      query.where((eb) =>
        eb.or([
          eb("sessionsEndedAt", "is", null),
          eb("sessionsEndedAt", "<", place<Date>(slots, "sessionCreatedAt")),
        ]),
      ),
    )
    .returning(userSelection);

const userNames = namesOf(userColumns);

const build = (db: Kysely<Tables>, slots: Slots<Values>, shape: Shape) => {
  const changed = db
    .with("changed", (part) => updateRow(part, slots, shape))
    .with("revised", () => sql`(${insertRevisions(sql`changed`, place(slots, "now"))})`)
    .with("audited", (part) =>
      part
        .insertInto("audit")
        .columns(auditNames)
        .expression((eb) =>
          eb
            .selectFrom("changed")
            .select(auditNames.map((name) => place(slots, `audit ${name}`).as(name))),
        ),
    );
  const noted = changed.with("noted", (part) =>
    part
      .insertInto("outbox")
      .columns([...outboxNames, "publishedAt"])
      .expression((eb) =>
        eb
          .selectFrom("changed")
          .select(outboxNames.map((name) => place(slots, `event ${name}`).as(name)))
          .select(ownPublishedAt.as("publishedAt")),
      ),
  );
  return (shape.hasOwnEvent ? noted : changed)
    .selectFrom(["changed", "revised"])
    .select(userNames.map((name) => `changed.${name}` as const))
    .select(notifyOfRevisions.as("notified"));
};

type Written = UserRow & { notified: void };

const shapesMax = 200;
const statements = createBoundedMemo<CompiledOnce<Tables, Values, Written>>({
  entriesMax: shapesMax,
});

/** Returns the statement of a shape. Building it takes longer than the rest of a change. */
const statementOf = (shape: Shape): CompiledOnce<Tables, Values, Written> => {
  const name = JSON.stringify(shape);
  const known = statements.get(name);
  if (known) return known;
  const statement = compileOnce((db: Kysely<Tables>, slots: Slots<Values>) =>
    build(db, slots, shape),
  ) as CompiledOnce<Tables, Values, Written>;
  statements.set(name, { entry: statement });
  return statement;
};

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
  const statement = statementOf({
    members: Object.keys(members),
    guard: Object.entries(state).map(([name, value]) => ({ name, isNull: value === null })),
    checksClaim: sessionCreatedAt !== undefined,
    hasOwnEvent: ownEvent !== undefined,
  });
  const found = await statement.first(db, {
    id,
    now,
    byLinkAlone,
    sessionCreatedAt,
    extra: JSON.stringify(members.extra),
    ...grouped("user", members),
    ...grouped("guard", state),
    ...grouped("audit", audit),
    ...(ownEvent && grouped("event", ownEvent)),
  });
  if (!found) return undefined;
  const { notified: _, ...row } = found;
  return row;
};

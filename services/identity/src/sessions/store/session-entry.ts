import { jsonReader } from "@latchkey/service-kit";
import { sessionColumns, userColumns } from "../../db/tables.ts";
import type { FieldValues } from "../../fields/field-set.ts";
import type { UserRow } from "../../users/user-row.ts";
import type { FoundSession, StoredSession } from "./session-store.ts";

// In Redis a session is a hash. It has the JSON texts `session` and `user`, and the `revision` of the user snapshot.
// A session that works in an organization also has `organization`. Changed additional fields are in `fields`.
// These two are separate from the text, so that an extension, which replaces the text, does not revert them.
// Times are milliseconds since the epoch.

const toJson = (values: object): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(values).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Date ? value.getTime() : value,
      ]),
    ),
  );

export const sessionToJson = ({
  tokenHash: _,
  activeOrganizationId: _chosen,
  ...session
}: StoredSession): string => toJson(session);

export const userToJson = ({ revision: _, ...user }: UserRow): string => toJson(user);

const readSession = jsonReader(sessionColumns);
const readUser = jsonReader(userColumns);

export const sessionFromJson = (
  tokenHash: Buffer,
  {
    session: json,
    organization,
    fields,
  }: { session: string; organization: string | null; fields: string | null },
): StoredSession => {
  const session = readSession(JSON.parse(json) as object);
  session.tokenHash = tokenHash;
  session.activeOrganizationId = organization;
  if (fields) session.extra = JSON.parse(fields) as FieldValues;
  return session;
};

export const foundFromJson = (
  tokenHash: Buffer,
  held: Parameters<typeof sessionFromJson>[1] & { user: string; revision: string | null },
): FoundSession => {
  const user = readUser(JSON.parse(held.user) as object);
  user.revision = Number(held.revision);
  return { session: sessionFromJson(tokenHash, held), user };
};

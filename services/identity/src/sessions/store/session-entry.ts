import { jsonReader, namesOf, picker } from "@latchkey/service-kit/database";
import { authenticationColumns, sessionColumns, userColumns } from "../../db/tables.ts";
import type { FieldValues } from "@latchkey/service-kit/fields";
import type { UserRow } from "../../users/user-row.ts";
import type { AuthenticationChange, FoundSession, StoredSession } from "./session-store.ts";

// In Redis a session is a hash. It has the JSON texts `session` and `user`, and the `revision` of the user snapshot.
// A session that works in an organization also has `organization`, and in a team of it `team`. Changed additional fields are in `fields`.
// A further authentication is in `authentication`. These are separate from the text, so that an extension, which replaces the text, does not revert them.
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
  activeOrganizationId: _organization,
  activeTeamId: _team,
  ...session
}: StoredSession): string => toJson(session);

export const pickAuthentication = picker<AuthenticationChange>(namesOf(authenticationColumns));

export const authenticationToJson = (change: AuthenticationChange): string =>
  toJson(pickAuthentication(change));

export const userToJson = ({ revision: _, ...user }: UserRow): string => toJson(user);

const readSession = jsonReader(sessionColumns);
const readUser = jsonReader(userColumns);
const readAuthentication = jsonReader(authenticationColumns);

/** The members of a session's hash in Redis, other than those of the user. */
export interface SessionEntry {
  session: string;
  organization: string | null;
  team: string | null;
  fields: string | null;
  authentication: string | null;
}

export const sessionFromJson = (
  tokenHash: Buffer,
  { session: json, organization, team, fields, authentication }: SessionEntry,
): StoredSession => {
  const session = readSession(JSON.parse(json) as object);
  session.tokenHash = tokenHash;
  session.activeOrganizationId = organization;
  session.activeTeamId = team;
  if (fields) session.extra = JSON.parse(fields) as FieldValues;
  if (authentication)
    Object.assign(session, readAuthentication(JSON.parse(authentication) as object));
  return session;
};

export const foundFromJson = (
  tokenHash: Buffer,
  held: SessionEntry & { user: string; revision: string | null },
): FoundSession => {
  const user = readUser(JSON.parse(held.user) as object);
  user.revision = Number(held.revision);
  return { session: sessionFromJson(tokenHash, held), user };
};

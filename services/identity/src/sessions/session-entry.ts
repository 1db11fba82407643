import type { FieldValues } from "../fields/field-set.ts";
import type { UserRow } from "../users/user-row.ts";
import type { FoundSession, StoredSession } from "./session-store.ts";

// In Redis a session is a hash. It has the JSON texts `session` and `user`, and the `revision` of the user snapshot.
// A session that works in an organization also has `organization`. Changed additional fields are in `fields`.
// These two are separate from the text, so that an extension, which replaces the text, does not revert them.
// Times are milliseconds since the epoch.

const times = ["expiresAt", "createdAt", "updatedAt", "banExpires"] as const;

const toJson = (value: object): string =>
  JSON.stringify(value, (name, member: unknown) =>
    (times as readonly string[]).includes(name) && typeof member === "string"
      ? Date.parse(member)
      : member,
  );

const timeOf = (milliseconds: unknown): Date => new Date(milliseconds as number); // the format of `toJson`

export const sessionToJson = ({
  tokenHash: _,
  activeOrganizationId: _chosen,
  ...session
}: StoredSession): string => toJson(session);

export const userToJson = ({ revision: _, ...user }: UserRow): string => toJson(user);

/** The content of an entry. An entry of an earlier version lacks the later members. */
type Held<Row, Later extends keyof Row> = Omit<Row, Later> & Partial<Pick<Row, Later>>;

// Lists each member for speed: this runs at each session look-up, where spreads would cost as much as the parsing.

export const sessionFromJson = (
  tokenHash: Buffer,
  {
    session,
    organization,
    fields,
  }: { session: string; organization: string | null; fields: string | null },
): StoredSession => {
  const held = JSON.parse(session) as Held<
    StoredSession,
    "impersonatedBy" | "remembered" | "extra"
  >;
  return {
    id: held.id,
    tokenHash,
    tokenSealed: held.tokenSealed,
    userId: held.userId,
    expiresAt: timeOf(held.expiresAt),
    createdAt: timeOf(held.createdAt),
    updatedAt: timeOf(held.updatedAt),
    ipAddress: held.ipAddress,
    userAgent: held.userAgent,
    impersonatedBy: held.impersonatedBy ?? null,
    activeOrganizationId: organization,
    remembered: held.remembered ?? true,
    extra: fields ? (JSON.parse(fields) as FieldValues) : (held.extra ?? {}),
  };
};

type LaterUserMember =
  | "username"
  | "displayUsername"
  | "role"
  | "banned"
  | "banReason"
  | "banExpires"
  | "extra";

const userFromJson = (json: string, revision: number): UserRow => {
  const held = JSON.parse(json) as Held<UserRow, LaterUserMember>;
  return {
    id: held.id,
    name: held.name,
    email: held.email,
    emailVerified: held.emailVerified,
    image: held.image,
    createdAt: timeOf(held.createdAt),
    updatedAt: timeOf(held.updatedAt),
    username: held.username ?? null,
    displayUsername: held.displayUsername ?? null,
    role: held.role ?? null,
    banned: held.banned ?? false,
    banReason: held.banReason ?? null,
    banExpires: held.banExpires ? timeOf(held.banExpires) : null,
    extra: held.extra ?? {},
    revision,
  };
};

export const foundFromJson = (
  tokenHash: Buffer,
  held: Parameters<typeof sessionFromJson>[1] & { user: string; revision: string | null },
): FoundSession => ({
  session: sessionFromJson(tokenHash, held),
  user: userFromJson(held.user, Number(held.revision)),
});

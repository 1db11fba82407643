import type { UserRow } from "../users/user-row.ts";
import type { FoundSession, StoredSession } from "./session-store.ts";

// In Redis a session is a hash of two JSON texts, `session` and `user`, the `revision` of the user's copy, and `organization`
// where the session works in one: apart from the text, so that an extension, which replaces that, leaves a choice as it
// is. Times are milliseconds since the epoch.

const times = ["expiresAt", "createdAt", "updatedAt", "banExpires"] as const;

const toJson = (value: object): string =>
  JSON.stringify(value, (name, member: unknown) =>
    (times as readonly string[]).includes(name) && typeof member === "string"
      ? Date.parse(member)
      : member,
  );

const timeOf = (milliseconds: unknown): Date => new Date(milliseconds as number); // as `toJson` wrote it

export const sessionToJson = ({
  tokenHash: _,
  activeOrganizationId: _chosen,
  ...session
}: StoredSession): string => toJson(session);

export const userToJson = ({ revision: _, ...user }: UserRow): string => toJson(user);

/** What an entry holds; the later members are missing from one that an earlier version wrote. */
type Held<Row, Later extends keyof Row> = Omit<Row, Later> & Partial<Pick<Row, Later>>;

// Written out member by member: this runs at each look-up of a session, where spreads would cost as much as the parsing.

export const sessionFromJson = (
  tokenHash: Buffer,
  { session, organization }: { session: string; organization: string | null },
): StoredSession => {
  const held = JSON.parse(session) as Held<StoredSession, "impersonatedBy" | "extra">;
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
    extra: held.extra ?? {},
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
  held: { session: string; user: string; revision: string | null; organization: string | null },
): FoundSession => ({
  session: sessionFromJson(tokenHash, held),
  user: userFromJson(held.user, Number(held.revision)),
});

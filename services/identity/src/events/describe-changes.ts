import type { EventUser, RecordedEvent } from "@latchkey/contracts";
import type { AuditedChange } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import { type UserRow, userSelection } from "../users/user-row.ts";

type Users = ReadonlyMap<string, EventUser>;
type Describe = (change: AuditedChange, users: Users) => RecordedEvent[];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

const showUser = (row: UserRow): EventUser => ({
  id: row.id,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  image: row.image,
  username: row.username,
  displayUsername: row.displayUsername,
  twoFactorEnabled: row.twoFactorEnabled,
  role: row.role,
  banned: row.banned,
  banReason: row.banReason,
  banExpires: row.banExpires?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  revision: row.revision,
});

const ofUser = (id: string) => ({ kind: "user", id }) as const;

/** Returns the description of an event whose data is the user. */
const withUser =
  (type: "user.banned" | "user.created" | "user.unbanned"): Describe =>
  ({ subjectId: userId }, users) => [
    { type, subject: ofUser(userId), data: { userId, user: users.get(userId) ?? null } },
  ];

/** Returns the description of an event whose data is the id of the user. */
const withId =
  (
    type: "two-factor.disabled" | "two-factor.enabled" | "user.deleted" | "user.password-changed",
  ): Describe =>
  ({ subjectId: userId }) => [{ type, subject: ofUser(userId), data: { userId } }];

/** Names the changed members, with additional fields by their own names. */
const changedMembers = (after: Record<string, unknown>): string[] => {
  const { extra, ...members } = after;
  return [...Object.keys(members), ...Object.keys(extra ?? {})];
};

const userUpdated: Describe = ({ subjectId: userId, action, after }, users) => {
  const changes =
    action === "user.email-verified" && after === null
      ? ["emailVerified"]
      : changedMembers(after ?? {});
  // An act that wrote several entries has its members in one of them.
  if (changes.length === 0) return [];
  const subject = ofUser(userId);
  const user = users.get(userId) ?? null;
  const updated = { type: "user.updated", subject, data: { userId, user, changes } } as const;
  if (!changes.includes("email")) return [updated];
  return [updated, { type: "user.email-changed", subject, data: { userId, user } }];
};

const sessionCreated: Describe = ({ action, after, subjectId: sessionId }) => {
  const userId = text(after?.["userId"]);
  const expiresAt = text(after?.["expiresAt"]);
  const isImpersonation = action === "session.impersonated";
  return [
    {
      type: "session.created",
      subject: ofUser(userId),
      data: { userId, sessionId, expiresAt, isImpersonation },
    },
  ];
};

const sessionRevoked: Describe = ({ before, subjectId: sessionId }) => {
  const userId = text(before?.["userId"]);
  // Entries of an earlier version do not name the user.
  if (userId === "") return [];
  return [{ type: "session.revoked", subject: ofUser(userId), data: { userId, sessionId } }];
};

const allRevoked: Describe = ({ action, subjectId: userId }) => [
  {
    type: "session.all-revoked",
    subject: ofUser(userId),
    data: { userId, exceptCurrent: action === "session.revoked-others" },
  },
];

const accountEvent = (
  type: "account.linked" | "account.unlinked",
  userId: string,
  account: Record<string, unknown> | null,
): RecordedEvent => ({
  type,
  subject: ofUser(userId),
  data: { userId, accountId: text(account?.["id"]), providerId: text(account?.["providerId"]) },
});

const accountsDropped: Describe = ({ subjectId, before }) => {
  const accounts = before?.["accounts"];
  return Array.isArray(accounts)
    ? accounts.map((account: Record<string, unknown>) =>
        accountEvent("account.unlinked", subjectId, account),
      )
    : [];
};

const passkeyEvent =
  (type: "passkey.added" | "passkey.removed" | "passkey.updated"): Describe =>
  ({ subjectId: userId, before, after }) => {
    const id = after?.["id"] ?? before?.["id"];
    const passkeyId = typeof id === "string" ? id : null;
    return [{ type, subject: ofUser(userId), data: { userId, passkeyId } }];
  };

/** The audited actions that are events. Any other action that changes a user is `user.updated`. */
const described: Readonly<Record<string, Describe>> = {
  "user.created": withUser("user.created"),
  "user.deleted": withId("user.deleted"),
  "user.banned": withUser("user.banned"),
  "user.unbanned": withUser("user.unbanned"),
  "user.ban-expired": withUser("user.unbanned"),
  "user.accounts-dropped": accountsDropped,
  "user.secured": () => [],
  "user.exported": () => [],
  "password.changed": withId("user.password-changed"),
  "password.set": withId("user.password-changed"),
  "password.reset": withId("user.password-changed"),
  "user-invitation.accepted": withId("user.password-changed"),
  "session.created": sessionCreated,
  "session.impersonated": sessionCreated,
  "session.revoked": sessionRevoked,
  "session.replaced": sessionRevoked,
  "session.signed-out": sessionRevoked,
  "session.impersonation-ended": sessionRevoked,
  "session.revoked-all": allRevoked,
  "session.revoked-others": allRevoked,
  "account.linked": ({ subjectId, after }) => [accountEvent("account.linked", subjectId, after)],
  "account.unlinked": ({ subjectId, before }) => [
    accountEvent("account.unlinked", subjectId, before),
  ],
  "two-factor.enabled": withId("two-factor.enabled"),
  "two-factor.disabled": withId("two-factor.disabled"),
  "two-factor.reset": withId("two-factor.disabled"),
  "passkey.added": passkeyEvent("passkey.added"),
  "passkey.renamed": passkeyEvent("passkey.updated"),
  "passkey.removed": passkeyEvent("passkey.removed"),
};

const describerOf = ({ action, subjectKind }: AuditedChange): Describe | undefined => {
  if (Object.hasOwn(described, action)) return described[action];
  return action.startsWith("user.") && subjectKind === "user" ? userUpdated : undefined;
};

const findUsers = async (trx: Kysely<Tables>, ids: readonly string[]): Promise<Users> => {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("user")
    .select(userSelection)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map((rows as UserRow[]).map((row) => [row.id, showUser(row)]));
};

/** Returns the events of audit entries, with the current users. */
export const describeChanges = async (
  trx: Kysely<Tables>,
  changes: readonly AuditedChange[],
): Promise<RecordedEvent[][]> => {
  const about = changes.filter(
    ({ action, subjectKind }) => subjectKind === "user" && action.startsWith("user."),
  );
  const users = await findUsers(
    trx,
    about.map(({ subjectId }) => subjectId),
  );
  return changes.map((change) => describerOf(change)?.(change, users) ?? []);
};

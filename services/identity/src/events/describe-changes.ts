import type { ClaimedMethod, EventTypeOf, EventUser, RecordedEvent } from "@latchkey/contracts";
import { type AuditedChange, describeChange, type Describers } from "@latchkey/service-kit/events";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { type UserRow, userSelection } from "../users/user-row.ts";

type Users = ReadonlyMap<string, EventUser>;
type Describe = (change: AuditedChange, users: Users) => RecordedEvent[];

const text = (value: unknown): string => (typeof value === "string" ? value : "");

type ShowFields = Deps["fields"]["user"]["show"];

const showUser = (row: UserRow, showFields: ShowFields): EventUser => ({
  ...showFields(row.extra),
  id: row.id,
  name: row.name,
  email: row.email,
  emailVerified: row.emailVerified,
  image: row.image,
  username: row.username,
  displayUsername: row.displayUsername,
  phoneNumber: row.phoneNumber,
  phoneNumberVerified: row.phoneNumberVerified,
  twoFactorEnabled: row.twoFactorEnabled,
  ...(row.isAnonymous && { isAnonymous: row.isAnonymous }),
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
  (type: "two-factor.enabled" | "user.deleted" | "user.password-compromised"): Describe =>
  ({ subjectId: userId }) => [{ type, subject: ofUser(userId), data: { userId } }];

/** Returns that of the end of a sign-in method. A fact that may end several names those that it did end. */
const withEnd =
  (type: "two-factor.disabled" | "user.password-changed", method: ClaimedMethod): Describe =>
  ({ subjectId: userId, after }) => {
    const ended = after?.["ended"];
    if (Array.isArray(ended) && !ended.includes(method)) return [];
    return [{ type, subject: ofUser(userId), data: { userId } }];
  };

/** Names the changed members, with additional fields by their own names. */
const changedMembers = (after: Record<string, unknown>): string[] => {
  const { extra, ...members } = after;
  return [...Object.keys(members), ...Object.keys(extra ?? {})];
};

const changesOf = ({ action, after }: AuditedChange): string[] =>
  action === "user.email-verified" && after === null
    ? ["emailVerified"]
    : changedMembers(after ?? {});

/** An act that wrote several entries has its members in one of them. */
const userUpdated: Describe = (change, users) => {
  const { subjectId: userId } = change;
  const changes = changesOf(change);
  if (changes.length === 0) return [];
  const user = users.get(userId) ?? null;
  return [{ type: "user.updated", subject: ofUser(userId), data: { userId, user, changes } }];
};

/** Returns the description of the event that reports the change of one member. */
const memberChanged =
  (type: "user.email-changed" | "user.phone-changed", member: "email" | "phoneNumber"): Describe =>
  (change, users) => {
    const { subjectId: userId, after } = change;
    const ended = after?.["ended"];
    const isEnded = Array.isArray(ended) && ended.includes(member);
    if (!isEnded && !changesOf(change).includes(member)) return [];
    const user = users.get(userId) ?? null;
    return [{ type, subject: ofUser(userId), data: { userId, user } }];
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

/** Several accounts may end at once. */
const accountsUnlinked: Describe = ({ subjectId, before }) => {
  const accounts: unknown = before?.["accounts"] ?? [before];
  return Array.isArray(accounts)
    ? accounts.map((account: Record<string, unknown> | null) =>
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

const mergeEvent =
  (type: "user.merge-undone" | "user.merged"): Describe =>
  ({ subjectId: userId, after }) => [
    {
      type,
      subject: ofUser(userId),
      data: { userId, mergedUserId: text(after?.["mergedUserId"]) },
    },
  ];

const describers: Describers<EventTypeOf<"identity">, Users> = {
  "user.created": withUser("user.created"),
  "user.updated": userUpdated,
  "user.email-changed": memberChanged("user.email-changed", "email"),
  "user.phone-changed": memberChanged("user.phone-changed", "phoneNumber"),
  "user.deleted": withId("user.deleted"),
  "user.merged": mergeEvent("user.merged"),
  "user.merge-undone": mergeEvent("user.merge-undone"),
  "user.linked": ({ subjectId: userId, after }) => [
    {
      type: "user.linked",
      subject: ofUser(userId),
      data: { userId, guestId: text(after?.["guestId"]) || userId },
    },
  ],
  "user.banned": withUser("user.banned"),
  "user.unbanned": withUser("user.unbanned"),
  "user.password-changed": withEnd("user.password-changed", "password"),
  "user.password-compromised": withId("user.password-compromised"),
  "session.created": sessionCreated,
  "session.revoked": sessionRevoked,
  "session.all-revoked": allRevoked,
  "account.linked": ({ subjectId, after }) => [accountEvent("account.linked", subjectId, after)],
  "account.unlinked": accountsUnlinked,
  "two-factor.enabled": withId("two-factor.enabled"),
  "two-factor.disabled": withEnd("two-factor.disabled", "secondFactor"),
  "passkey.added": passkeyEvent("passkey.added"),
  "passkey.updated": passkeyEvent("passkey.updated"),
  "passkey.removed": passkeyEvent("passkey.removed"),
};

const findUsers = async (
  trx: Kysely<Tables>,
  ids: readonly string[],
  showFields: ShowFields,
): Promise<Users> => {
  if (ids.length === 0) return new Map();
  const rows = await trx
    .selectFrom("user")
    .select(userSelection)
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map((rows as UserRow[]).map((row) => [row.id, showUser(row, showFields)]));
};

/** Creates the function that returns the events of audit entries, with the current users. */
export const createDescribeChanges =
  ({ fields }: Pick<Deps, "fields">) =>
  async (trx: Kysely<Tables>, changes: readonly AuditedChange[]): Promise<RecordedEvent[][]> => {
    const about = changes.filter(
      ({ action, subjectKind }) => subjectKind === "user" && action.startsWith("user."),
    );
    const users = await findUsers(
      trx,
      about.map(({ subjectId }) => subjectId),
      fields.user.show,
    );
    return changes.map((change) => describeChange(describers, change, users));
  };

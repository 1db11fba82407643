import type { AuditEntry } from "@latchkey/service-kit";
import type { UserMembers } from "./queries.ts";

/** Members whose values do not identify the user. */
const shownMembers: ReadonlySet<string> = new Set([
  "banExpires",
  "banReason",
  "banned",
  "emailVerified",
  "role",
]);

/** Returns whether the audit row of a change records the state before it. */
export const isStateAudited = (members: UserMembers): boolean =>
  Object.keys(members).some((name) => shownMembers.has(name));

const changed = "changed";

const maskAll = (members: object) =>
  Object.fromEntries(Object.keys(members).map((name) => [name, changed]));

/**
 * Returns the audit form of a user's changed members. Audit rows outlive the user. For names, addresses and additional
 * fields they therefore record only that the value changed.
 */
export const auditedUser = (
  from: UserMembers,
  to: UserMembers,
): Pick<AuditEntry, "after" | "before"> => {
  const shown = (members: UserMembers) =>
    Object.fromEntries(Object.entries(members).filter(([name]) => shownMembers.has(name)));
  const { extra, ...named } = to;
  const masked = Object.keys(named).filter((name) => !shownMembers.has(name));
  const before = shown(from);
  return {
    ...(Object.keys(before).length > 0 ? { before } : {}),
    after: {
      ...shown(to),
      ...Object.fromEntries(masked.map((name) => [name, changed])),
      ...(extra ? { extra: maskAll(extra) } : {}),
    },
  };
};

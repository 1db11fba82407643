import { WireError } from "@latchkey/contracts";
import { compileTogether, qualified, type Slots } from "@latchkey/service-kit/database";
import type { Kysely, Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import { lockOrganization, type WhichOrganization } from "../rows/organizations.ts";
import {
  type Acting,
  requireSecondFactor,
  type RequireSecondFactorNeeds,
} from "./require-second-factor.ts";
import { type RoleRules, rulesFor } from "../roles/role-rules.ts";
import { findMembership, type MemberRow, memberSelection } from "../rows/members.ts";

const selectOwnBy = (column: "id" | "slug") =>
  compileTogether(
    { which: "text", userId: "text" },
    (db: Kysely<Tables>, { which, userId }: Slots<{ which: string; userId: string }>) =>
      db
        .selectFrom("member")
        .innerJoin("organization", "organization.id", "member.organizationId")
        .select(qualified("member", memberSelection))
        .select("organization.secondFactorFrom")
        .where(`organization.${column}`, "=", which)
        .where("member.userId", "=", userId),
  );

/** Returns the membership of a user in an organization by its id, with the time from which the organization requires a second factor. */
export const findMembershipWithPolicy = selectOwnBy("id").first;

const findBySlug = selectOwnBy("slug").first;

/** A member who acts, with the rules for their roles. */
export type ActingMember = MemberRow & { rules: RoleRules };

export type FindOwnMembershipNeeds = RequireSecondFactorNeeds & { db: Kysely<Tables> };

/**
 * Returns the membership in which the caller acts. Every operation of a member must find it here, or check its row by
 * `requireSecondFactor`. Throws `TWO_FACTOR_REQUIRED`.
 */
export const findOwnMembership = async (
  deps: FindOwnMembershipNeeds,
  acting: Acting,
  which: WhichOrganization,
): Promise<ActingMember | undefined> => {
  const { userId } = acting.session.session;
  const membership =
    "id" in which
      ? await findMembershipWithPolicy(deps.db, { which: which.id, userId })
      : await findBySlug(deps.db, { which: which.slug, userId });
  if (!membership) return undefined;
  const { secondFactorFrom, ...member } = membership;
  requireSecondFactor(deps, acting, { secondFactorFrom });
  return { ...member, rules: await rulesFor(deps, member) };
};

/** Returns the membership of a caller who may act. Throws the refusal otherwise. */
export type CheckMember = (member: ActingMember | undefined) => ActingMember;

const checkIsMember: CheckMember = (member) => {
  if (!member) throw new WireError("MEMBER_NOT_FOUND");
  return member;
};

interface ActingIn extends Acting {
  organizationId: string;
  /** A member may leave without the second factor that the organization requires. */
  leaves?: boolean;
  /** By default every member may act, and others are refused with `MEMBER_NOT_FOUND`. */
  check?: CheckMember;
}

/**
 * Locks the organization until the transaction ends and returns the caller's membership, whose permissions hold until then. Strangers, also
 * of an unknown organization, take no lock. Throws the error of the check, and `TWO_FACTOR_REQUIRED`.
 */
export const lockAsMember = async (
  deps: RequireSecondFactorNeeds,
  trx: Transaction<Tables>,
  { organizationId, leaves = false, check = checkIsMember, ...acting }: ActingIn,
): Promise<ActingMember> => {
  const { userId } = acting.session.session;
  const findLeaving = async (): Promise<ActingMember | undefined> => {
    const member = await findMembership(trx, { organizationId, userId });
    return member && { ...member, rules: deps.config.organization };
  };
  const requireMembership = async (): Promise<ActingMember> =>
    check(
      leaves
        ? await findLeaving()
        : await findOwnMembership({ ...deps, db: trx }, acting, { id: organizationId }),
    );
  await requireMembership();
  await lockOrganization(trx, organizationId);
  return requireMembership();
};

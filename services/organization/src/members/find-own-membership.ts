import { compileTogether, qualified, type Slots } from "@latchkey/service-kit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { WhichOrganization } from "../organizations/queries.ts";
import {
  type Acting,
  requireSecondFactor,
  type RequireSecondFactorNeeds,
} from "../two-factor/require-second-factor.ts";
import { type MemberRow, memberSelection } from "./queries.ts";

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

export type FindOwnMembershipNeeds = RequireSecondFactorNeeds & { db: Kysely<Tables> };

/**
 * Returns the membership in which the caller acts. Every operation of a member must find it here, or check its row by
 * `requireSecondFactor`. Throws `TWO_FACTOR_REQUIRED`.
 */
export const findOwnMembership = async (
  deps: FindOwnMembershipNeeds,
  acting: Acting,
  which: WhichOrganization,
): Promise<MemberRow | undefined> => {
  const { userId } = acting.session.session;
  const found =
    "id" in which
      ? await findMembershipWithPolicy(deps.db, { which: which.id, userId })
      : await findBySlug(deps.db, { which: which.slug, userId });
  if (!found) return undefined;
  const { secondFactorFrom, ...member } = found;
  requireSecondFactor(deps, acting, { secondFactorFrom });
  return member;
};

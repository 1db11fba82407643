import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { timestamp } from "../../plain-text.ts";
import { pageQuery } from "../pages.ts";
import { id, memberWithUser, ofMember } from "./objects.ts";
import { operationGroup } from "../../operation-group.ts";

const ofPolicy = { ...ofMember, feature: "organizationTwoFactor" } as const;

/** The most days between the decision to require a second factor and its enforcement. */
const graceDaysMax = 365;

const policy = z.object({
  organizationId: z.string(),
  required: z.boolean(),
  /** When it is or was first enforced. Null if no second factor is required. */
  requiredFrom: timestamp.nullable(),
});

const errors = [
  "NO_ACTIVE_ORGANIZATION",
  "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION",
  "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION",
  "TWO_FACTOR_REQUIRED",
] as const;

/** Whether an organization requires a second factor of its members. */
export const twoFactorPolicyOperations = operationGroup("Organizations", {
  setTwoFactorPolicy: operation({
    ...ofPolicy,
    name: "setTwoFactorPolicy",
    stepUp: stepUps.policy,
    method: "POST",
    path: "/organization/set-two-factor-policy",
    summary: "Requires a second factor of the members of an organization, or stops requiring it.",
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object({
      organizationId: id.optional(),
      required: z.boolean(),
      /** Days until it is enforced. Default: at once. */
      graceDays: z.int().min(0).max(graceDaysMax).optional(),
    }),
    reply: policy,
    errors,
  }),
  getTwoFactorPolicy: operation({
    ...ofPolicy,
    name: "getTwoFactorPolicy",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/get-two-factor-policy",
    summary: "Shows whether an organization requires a second factor.",
    query: z.object({ organizationId: id.optional() }),
    reply: policy,
    errors,
    repeatable: true,
  }),
  listMembersWithoutTwoFactor: operation({
    ...ofPolicy,
    name: "listMembersWithoutTwoFactor",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/organization/list-members-without-two-factor",
    summary: "Lists the members of an organization without a second factor.",
    query: z.object({
      organizationId: id.optional(),
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
    }),
    reply: z.object({
      /** Those of the page's members who have none. May be empty although there is a next page. */
      members: z.array(memberWithUser),
      /** The `cursor` of the next page. Absent on the last page. */
      nextCursor: z.string().optional(),
    }),
    errors,
    repeatable: true,
  }),
});

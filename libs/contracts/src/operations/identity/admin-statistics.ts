import { z } from "zod";
import { operation } from "../../operation.ts";
import { refusalReasons } from "../../refused-sign-in.ts";
import { stepUps } from "../../step-up.ts";
import { dailyCounts, dayRange } from "../statistics.ts";
import { operationGroup } from "../../operation-group.ts";

/** Statistics of identity, for admins. */
export const identityStatisticsOperations = operationGroup("Admin", {
  adminReadIdentityStatistics: operation({
    name: "adminReadIdentityStatistics",
    stepUp: stepUps.reads,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/admin/statistics/identity",
    summary: "Counts sign-ups, sign-ins, refused sign-ins and active users, by day.",
    feature: "admin",
    access: "permission",
    refusesImpersonators: true,
    permission: {
      resource: "statistics",
      action: "read",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS",
    },
    query: z.object(dayRange),
    reply: dailyCounts("signUps", "signIns", "signInsFailed", "activeUsers"),
    errors: [],
    repeatable: true,
  }),
  adminReadSignInMethods: operation({
    name: "adminReadSignInMethods",
    stepUp: stepUps.reads,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/admin/statistics/sign-in-methods",
    summary:
      "Counts sign-ins by day and method, a second factor beside the first, and refused ones by reason.",
    feature: "admin",
    access: "permission",
    refusesImpersonators: true,
    permission: {
      resource: "statistics",
      action: "read",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS",
    },
    query: z.object(dayRange),
    reply: z.object({
      /** Only methods that were used that day. `method` is, for example, `password`, `social:github` or `totp`. */
      counts: z.array(z.object({ day: z.string(), method: z.string(), signIns: z.number() })),
      /** Only reasons of that day. Sign-ins of unknown users are counted, too. */
      refusals: z.array(
        z.object({ day: z.string(), reason: z.enum(refusalReasons), refusals: z.number() }),
      ),
    }),
    errors: [],
    repeatable: true,
  }),
});

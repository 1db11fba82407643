import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { userIdText } from "../../plain-text.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

/** Operations of admins on the second factors of others. */
export const twoFactorAdminOperations = operationGroup("Admin", {
  adminResetTwoFactor: operation({
    name: "adminResetTwoFactor",
    stepUp: stepUps.wayIn,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "POST",
    path: "/admin/reset-two-factor",
    summary: "Removes the second factor of a user who has lost it, and ends all their sessions.",
    feature: "twoFactorAdmin",
    access: "permission",
    permission: {
      resource: "user",
      action: "reset-two-factor",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
    },
    refusesImpersonators: true,
    refusesApiKeys: true,
    body: z.object({ userId: userIdText }),
    reply: status,
    errors: ["USER_NOT_FOUND", "YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR", "FAILED_TO_UPDATE_USER"],
  }),
});

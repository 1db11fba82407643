import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, userIdText } from "../../plain-text.ts";
import { passkeySchema } from "./passkey.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "passkeyAdmin",
  access: "permission",
  permission: {
    resource: "user",
    action: "reset-two-factor",
    refusal: "YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS",
  },
  refusesImpersonators: true,
  refusesApiKeys: true,
} as const;

/** Operations of admins on the passkeys of a user. */
export const passkeyAdminOperations = operationGroup("Admin", {
  adminListUserPasskeys: operation({
    ...ofAdmin,
    name: "adminListUserPasskeys",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/list-user-passkeys",
    summary: "Lists the passkeys of a user, oldest first.",
    query: z.object({ userId: userIdText }),
    reply: z.object({
      passkeys: z.array(passkeySchema.omit({ publicKey: true, credentialID: true })),
    }),
    errors: ["USER_NOT_FOUND"],
    repeatable: true,
  }),
  adminRemoveUserPasskey: operation({
    ...ofAdmin,
    name: "adminRemoveUserPasskey",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/remove-user-passkey",
    summary: "Removes a passkey of a user, even if it is the last way to sign in.",
    body: z.object({ userId: userIdText, id: plainText(255) }),
    reply: z.object({ success: z.boolean() }),
    errors: ["USER_NOT_FOUND", "PASSKEY_NOT_FOUND"],
  }),
});

import { z } from "zod";
import { userSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { stepUps } from "../../step-up.ts";

const ofGuests = {
  owner: "identity",
  exposure: "public",
  method: "POST",
  feature: "anonymous",
} as const;

/** Guests: users who have given nothing, and become known by a sign-up or a sign-in. */
export const guestOperations = operationGroup("Guests", {
  signInAnonymous: operation({
    ...ofGuests,
    name: "signInAnonymous",
    stepUp: stepUps.noSession,
    // Each call makes a user.
    rateClass: "guest",
    path: "/sign-in/anonymous",
    summary: "Creates a guest and signs it in.",
    reply: z.object({ token: z.string(), user: userSchema }),
    errors: [
      "ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY",
      "FAILED_TO_CREATE_USER",
      ["FAILED_TO_CREATE_SESSION", 500],
    ],
    access: "anyone",
  }),
  deleteAnonymousUser: operation({
    ...ofGuests,
    name: "deleteAnonymousUser",
    stepUp: stepUps.takesAway,
    rateClass: "general",
    path: "/delete-anonymous-user",
    summary: "Deletes the guest who calls it.",
    reply: z.object({ success: z.boolean() }),
    errors: ["USER_IS_NOT_ANONYMOUS", "DELETE_ANONYMOUS_USER_DISABLED"],
    access: "session",
    admitsGuests: true,
    refusesImpersonators: true,
    refusesApiKeys: true,
  }),
});

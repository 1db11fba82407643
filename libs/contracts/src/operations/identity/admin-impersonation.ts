import { z } from "zod";
import { fullUserSchema, sessionSchema } from "../../objects.ts";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp, userIdText } from "../../plain-text.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const mayImpersonate = {
  resource: "user",
  action: "impersonate",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS",
} as const;
const reason = plainText(500).regex(/\S/, "must not be blank");

const refusals = [
  "USER_NOT_FOUND",
  "YOU_CANNOT_IMPERSONATE_YOURSELF",
  "YOU_CANNOT_IMPERSONATE_ADMINS",
  "YOU_ARE_ALREADY_IMPERSONATING_A_USER",
  "BANNED_USER",
] as const;
const failures = [...refusals, "FAILED_TO_UPDATE_USER", ["FAILED_TO_CREATE_USER", 500]] as const;

/** Operations by which admins act as another user. */
export const impersonationAdminOperations = operationGroup("Admin", {
  adminImpersonateUser: operation({
    ...ofAdmin,
    name: "adminImpersonateUser",
    stepUp: stepUps.impersonates,
    method: "POST",
    path: "/admin/impersonate-user",
    summary:
      "Signs the caller in as another user, for one hour at most, and keeps the caller's own session.",
    permission: mayImpersonate,
    refusesApiKeys: true,
    body: z.object({
      userId: userIdText,
      /** The purpose of the impersonation, for the audit log. */
      reason: reason.optional(),
    }),
    reply: z.object({ session: sessionSchema, user: fullUserSchema }),
    errors: failures,
  }),
  adminCreateImpersonationLink: operation({
    ...ofAdmin,
    name: "adminCreateImpersonationLink",
    stepUp: stepUps.impersonates,
    method: "POST",
    path: "/admin/create-impersonation-link",
    summary:
      "Returns a link that impersonates a user once, within a minute, in the browser of the caller's session.",
    permission: mayImpersonate,
    refusesApiKeys: true,
    body: z.object({ userId: userIdText, reason }),
    reply: z.object({ url: z.string(), expiresAt: timestamp }),
    errors: refusals,
  }),
  adminOpenImpersonationLink: operation({
    ...ofAdmin,
    name: "adminOpenImpersonationLink",
    stepUp: stepUps.madeStrong,
    method: "GET",
    path: "/admin/open-impersonation-link",
    summary:
      "Impersonates the user of a link and leads to the application, or shows why it cannot.",
    permission: mayImpersonate,
    refusesApiKeys: true,
    query: z.object({ token: plainText(64).min(1) }),
    reply: z.null(),
    errors: [
      ...failures,
      "IMPERSONATION_LINK_NOT_FOUND",
      "IMPERSONATION_LINK_EXPIRED",
      "IMPERSONATION_LINK_OF_ANOTHER_SESSION",
    ],
    mayRedirect: true,
    worksOnce: true,
  }),
  adminStopImpersonating: operation({
    ...ofAdmin,
    name: "adminStopImpersonating",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/stop-impersonating",
    summary: "Ends an impersonation and returns to the admin's own session.",
    access: "session",
    refusesImpersonators: false,
    actsOnBrowser: true,
    reply: z.object({ session: sessionSchema, user: fullUserSchema }),
    errors: ["YOU_ARE_NOT_IMPERSONATING_ANYONE", "FAILED_TO_FIND_ADMIN_SESSION"],
  }),
});

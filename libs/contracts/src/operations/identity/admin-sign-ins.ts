import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, timestamp, userIdText } from "../../plain-text.ts";
import { refusalReasons } from "../../refused-sign-in.ts";
import { pageQuery } from "../pages.ts";
import { status } from "./status.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "identity",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const moment = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

/** Refused sign-ins of a user on a UTC day, from one address and for one reason. */
const refusedSignIn = z.object({
  id: z.string(),
  userId: z.string(),
  /** Empty for all addresses beyond the first 20 of a user and day. */
  ipAddress: z.string(),
  reason: z.enum(refusalReasons),
  count: z.number(),
  firstAt: timestamp,
  lastAt: timestamp,
});

const refused = z.object({
  kind: z.literal("refused"),
  blocks: z.literal(false),
  reason: z.enum(refusalReasons),
  /** Since the last sign-in, for a week at most. */
  count: z.number(),
  /** The number of addresses, without those that are no longer told apart. */
  addressCount: z.number(),
  /** The address with the most refusals. Null without the permission to list sessions, and if it is one of many. */
  ipAddress: z.string().nullable(),
  lastAt: timestamp,
});

/** Why a user cannot sign in, or has had problems to. */
const signInProblem = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("banned"),
    blocks: z.literal(true),
    /** Null if the ban is permanent. */
    until: timestamp.nullable(),
    reason: z.string().nullable(),
  }),
  z.object({
    kind: z.literal("address-not-verified"),
    /** Whether the installation requires a verified address. */
    blocks: z.boolean(),
    canResend: z.boolean(),
  }),
  z.object({
    kind: z.literal("password-reset-required"),
    /** Whether no other sign-in method is left. */
    blocks: z.boolean(),
    since: timestamp,
  }),
  z.object({ kind: z.literal("no-sign-in-method"), blocks: z.literal(true) }),
  /** The user has not yet chosen a password by the link of an invitation. */
  z.object({
    kind: z.literal("invited"),
    blocks: z.literal(true),
    /** When the last invitation was mailed. */
    since: timestamp,
    /** When its link expires. Null if it has expired or was revoked. */
    until: timestamp.nullable(),
  }),
  /** The second factor is on, but neither a method nor a backup code is left. */
  z.object({ kind: z.literal("second-factor-unusable"), blocks: z.literal(true) }),
  z.object({
    kind: z.literal("second-factor-locked"),
    blocks: z.literal(true),
    until: timestamp,
  }),
  z.object({
    kind: z.literal("second-factor-pending"),
    blocks: z.literal(false),
    /** Whether the user must set a second factor up first. */
    isEnrolment: z.boolean(),
    since: timestamp,
    until: timestamp,
  }),
  z.object({
    kind: z.literal("mail-limit-reached"),
    blocks: z.literal(false),
    /** When the next mail with a link or code may be sent. */
    until: timestamp,
  }),
  refused,
]);

/** Operations of admins who help users to sign in. */
export const signInAdminOperations = operationGroup("Admin", {
  adminReadSignInState: operation({
    ...ofAdmin,
    name: "adminReadSignInState",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/users/{id}/sign-in-state",
    summary: "Returns whether a user can sign in, the reasons if not, and their last sign-in.",
    permission: {
      resource: "user",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS",
    },
    refusesApiKeys: true,
    params: z.object({ id: plainText(255).min(1) }),
    reply: z.object({
      /** Whether nothing blocks every sign-in. */
      canSignIn: z.boolean(),
      /** Those that block come first. */
      problems: z.array(signInProblem),
      /** Null if none is known. */
      lastSignIn: z
        .object({
          signedInAt: timestamp,
          methods: z.array(z.string()),
          /** Null without the permission to list sessions. */
          ipAddress: z.string().nullable(),
          userAgent: z.string().nullable(),
        })
        .nullable(),
    }),
    errors: ["USER_NOT_FOUND"],
    repeatable: true,
  }),
  adminListRefusedSignIns: operation({
    ...ofAdmin,
    name: "adminListRefusedSignIns",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/list-refused-sign-ins",
    summary:
      "Pages through the refused sign-ins of known users, by day, address and reason, latest first.",
    permission: {
      resource: "audit",
      action: "list",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_LIST_THE_AUDIT_LOG",
    },
    query: z.object({
      limit: pageQuery.limit,
      cursor: pageQuery.cursor,
      userId: userIdText.optional(),
      reason: z.enum(refusalReasons).optional(),
      /** Bounds of the last refusal. Both are included. */
      from: moment.optional(),
      to: moment.optional(),
    }),
    reply: z.object({
      refusedSignIns: z.array(refusedSignIn),
      /** The `cursor` of the next page. Absent on the last page. */
      nextCursor: z.string().optional(),
    }),
    errors: [],
    repeatable: true,
  }),
  adminUnlinkAccount: operation({
    ...ofAdmin,
    name: "adminUnlinkAccount",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/unlink-account",
    summary: "Unlinks an account at a provider from a user, even if it is the last way to sign in.",
    permission: {
      resource: "user",
      action: "secure",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_SECURE_USERS",
    },
    refusesApiKeys: true,
    body: z.object({
      userId: userIdText,
      /** The account's own id. */
      id: plainText(255),
    }),
    reply: status,
    errors: ["USER_NOT_FOUND", "ACCOUNT_NOT_FOUND"],
  }),
  adminSecureUser: operation({
    ...ofAdmin,
    name: "adminSecureUser",
    stepUp: stepUps.wayIn,
    method: "POST",
    path: "/admin/secure-user",
    summary:
      "Secures a compromised account: ends sessions and the password, disables API keys, mails a reset.",
    permission: {
      resource: "user",
      action: "secure",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_SECURE_USERS",
    },
    refusesApiKeys: true,
    mailsOthers: true,
    body: z.object({ userId: userIdText, reason: plainText(1024).optional() }),
    reply: z.object({
      /** The sessions that were active. At most 1,000, which stands for that many or more. */
      sessionCount: z.number(),
      /** False if the user had no password. */
      passwordEnded: z.boolean(),
      /** Whether a link to choose a new password is mailed. */
      resetMailed: z.boolean(),
    }),
    errors: ["USER_NOT_FOUND", "YOU_CANNOT_SECURE_YOURSELF"],
  }),
});

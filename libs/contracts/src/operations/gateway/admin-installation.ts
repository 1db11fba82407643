import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { plainText, urlText } from "../../plain-text.ts";
import { operationGroup } from "../../operation-group.ts";

const ofAdmin = {
  owner: "gateway",
  exposure: "public",
  rateClass: "general",
  feature: "admin",
  access: "permission",
  refusesImpersonators: true,
} as const;

const mayReadSettings = {
  resource: "settings",
  action: "read",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_SETTINGS",
} as const;

/** The effective value of an option in this installation. */
const effectiveOption = z.object({
  /** The name in the configuration reference, with provider ids filled in. */
  name: z.string(),
  /** Markdown of one or more sentences. */
  description: z.string(),
  /** The environment variable that sets it. Null if only the configuration file does. */
  variable: z.string().nullable(),
  /** As JSON. Functions are `"function"`, secrets are masked, and null is an option that is not set. */
  value: z.unknown(),
  /** The default in the same form, if the value differs from it. */
  default: z.unknown().optional(),
  /** The origin of the value. */
  source: z.enum(["default", "file", "environment"]),
  isSecret: z.boolean(),
});
export type EffectiveOption = z.output<typeof effectiveOption>;

const serviceHealth = z.object({
  name: z.string(),
  /** Null if the service does not answer, or does not report it. */
  version: z.string().nullable(),
  isReady: z.boolean(),
  /** Whether each of its dependencies answered. */
  checks: z.record(z.string(), z.boolean()),
});
export type ServiceHealth = z.output<typeof serviceHealth>;

/** Operations of admins on the installation itself. */
export const installationAdminOperations = operationGroup("Admin", {
  adminReadSettings: operation({
    ...ofAdmin,
    name: "adminReadSettings",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/settings",
    summary: "Shows the effective value of every option and its origin; secrets are masked.",
    permission: mayReadSettings,
    query: z.object({
      /** Only these options and those below them, separated by commas, such as `secret,mail`. All options if omitted. */
      names: plainText(2_000).optional(),
    }),
    reply: z.object({ options: z.array(effectiveOption) }),
    errors: [],
    repeatable: true,
  }),
  adminTestRedirect: operation({
    ...ofAdmin,
    name: "adminTestRedirect",
    stepUp: stepUps.reads,
    method: "POST",
    path: "/admin/settings/test-redirect",
    summary: "Returns whether a request may name a redirect URL, and why.",
    permission: mayReadSettings,
    body: z.object({
      url: urlText,
      /** The field of the request that would contain it. */
      field: z.enum(["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]),
    }),
    reply: z.object({ allowed: z.boolean(), reason: z.string() }),
    errors: [],
    repeatable: true,
  }),
  adminResetRateLimits: operation({
    ...ofAdmin,
    name: "adminResetRateLimits",
    stepUp: stepUps.limits,
    method: "POST",
    path: "/admin/reset-rate-limits",
    summary:
      "Unblocks an IP address: resets its rate limits. An IPv6 address stands for its /64 network.",
    permission: {
      resource: "rateLimit",
      action: "reset",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_RESET_RATE_LIMITS",
    },
    body: z.object({ ipAddress: z.union([z.ipv4(), z.ipv6()]) }),
    /** The number of operations whose limit was reset. */
    reply: z.object({ resetCount: z.number() }),
    errors: [],
  }),
  adminReadHealth: operation({
    ...ofAdmin,
    name: "adminReadHealth",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/health",
    summary: "Returns the health of each service and of its dependencies.",
    permission: {
      resource: "statistics",
      action: "read",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS",
    },
    reply: z.object({ services: z.array(serviceHealth) }),
    errors: [],
    repeatable: true,
  }),
});

export type InstallationAdminOperations = typeof installationAdminOperations;

import { z } from "zod";
import { operation } from "../../operation.ts";
import { urlText } from "../../plain-text.ts";

const ofAdmin = {
  owner: "gateway",
  exposure: "public",
  feature: "admin",
  access: "permission",
} as const;

const mayReadSettings = {
  resource: "settings",
  action: "read",
  refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_SETTINGS",
} as const;

/** An option as it counts in this installation. */
const effectiveOption = z.object({
  /** As the configuration reference has it, with the ids of providers in their place. */
  name: z.string(),
  /** As JSON; functions are `"function"`, what is secret is masked, and null is an option that nobody has set. */
  value: z.unknown(),
  /** Who says so. */
  source: z.enum(["default", "file", "environment"]),
  isSecret: z.boolean(),
});
export type EffectiveOption = z.output<typeof effectiveOption>;

const serviceHealth = z.object({
  name: z.string(),
  /** Null where it does not answer, or does not tell. */
  version: z.string().nullable(),
  isReady: z.boolean(),
  /** Whether each of its dependencies answered. */
  checks: z.record(z.string(), z.boolean()),
});
export type ServiceHealth = z.output<typeof serviceHealth>;

/** What admins see of the installation itself. */
export const installationAdminOperations = {
  adminReadSettings: operation({
    ...ofAdmin,
    name: "adminReadSettings",
    method: "GET",
    path: "/admin/settings",
    summary: "Shows every option as it counts, and who says so; what is secret is masked.",
    permission: mayReadSettings,
    reply: z.object({ options: z.array(effectiveOption) }),
    errors: [],
    repeatable: true,
  }),
  adminTestRedirect: operation({
    ...ofAdmin,
    name: "adminTestRedirect",
    method: "POST",
    path: "/admin/settings/test-redirect",
    summary: "Says whether a request may name a URL to redirect to, and why.",
    permission: mayReadSettings,
    body: z.object({
      url: urlText,
      /** The field of the request that would name it. */
      field: z.enum(["callbackURL", "redirectTo", "errorCallbackURL", "newUserCallbackURL"]),
    }),
    reply: z.object({ allowed: z.boolean(), reason: z.string() }),
    errors: [],
    repeatable: true,
  }),
  adminReadHealth: operation({
    ...ofAdmin,
    name: "adminReadHealth",
    method: "GET",
    path: "/admin/health",
    summary: "Says of each service whether it and what it depends on answer.",
    permission: {
      resource: "statistics",
      action: "read",
      refusal: "YOU_ARE_NOT_ALLOWED_TO_READ_STATISTICS",
    },
    reply: z.object({ services: z.array(serviceHealth) }),
    errors: [],
    repeatable: true,
  }),
} as const;

export type InstallationAdminOperations = typeof installationAdminOperations;

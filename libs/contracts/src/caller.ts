import { z } from "zod";
import { authenticationSchema } from "./authentication.ts";
import { keptValues } from "./kept-values.ts";

/** Client SDK versions whose replies differ. */
export const sdkVersion = z.enum(["1.2", "1.7"]);
export type SdkVersion = z.output<typeof sdkVersion>;

/** The version that a client names for its SDK, such as `1.7` or `1.7.5`. */
export const sdkVersionHeader = "x-sdk-version";

/**
 * The caller of an operation, as the gateway vouches for it to a service. It travels signed in `x-latchkey-caller` and expires after
 * `callerLifetimeSeconds`. `operation` binds it to one operation, so that it cannot be replayed to another.
 */
export const callerSchema = z.object({
  requestId: z.string(),
  operation: z.string(),
  /** Origin and base path under which the client reached the gateway, without a trailing slash. */
  baseUrl: z.string(),
  /** The web origin of the page that sent the request, if it is trusted. The gateway's own origin is trusted. */
  origin: z.string().optional(),
  /** The SDK whose reply format the client requests, if it names one. */
  sdkVersion: sdkVersion.optional(),
  /** The scheme and host of the mobile app that sent the request, such as `myapp://`, if it is trusted. */
  appOrigin: z.string().optional(),
  /** Empty if unknown or if tracking is off. */
  address: z.string(),
  userAgent: z.string(),
  /** The languages that the client prefers, if it names any: its `Accept-Language` header, unless that is too long. */
  acceptLanguage: z.string().optional(),
  /** The internal service that calls, named by its token. Absent if the gateway calls. */
  service: z.string().optional(),
  /** The raw session token, from a cookie or bearer header whose signature was verified. */
  sessionToken: z.string().optional(),
  /** The active session of that token and its user, as identity returns them. For services that store neither. */
  resolved: z
    .object({
      session: z.record(z.string(), z.unknown()),
      user: z.record(z.string(), z.unknown()),
      /** Absent for a session from the session cookie cache or an API key. */
      authentication: authenticationSchema.optional(),
    })
    .optional(),
  /** The API key of the request, if it stands for a session; `resolved` is then set. */
  apiKeyId: z.string().optional(),
  /** Whether the creator of that key had shown a second factor that still counts. */
  apiKeyHasSecondFactor: z.boolean().optional(),
  /** Whether the browser holds the marker of a session that ends when the browser closes. */
  browserSession: z.boolean().optional(),
  /** The admin's own session, which the browser keeps aside during an impersonation. */
  parkedSession: z.object({ token: z.string(), browserSession: z.boolean() }).optional(),
  /**
   * The token of the impersonation that the browser holds, if `sessionToken` is the admin's own session that it keeps aside. The admin web
   * named that one.
   */
  impersonationToken: z.string().optional(),
  /** The state of a sign-in at a provider that the browser has started. */
  signInState: z.string().optional(),
  /** Identifies, by a cookie, the browser that requested a mailed link. */
  linkBrowser: z.string().optional(),
  /** The values of the signed sign-in cookies (`keptCookies`) that the operation reads. */
  kept: keptValues.optional(),
  /**
   * The sessions of different users that the browser holds, for operations that start, switch or end them, while `multiSession` is on. The
   * order is that in which they count: the active one first. One without a slot has no cookie of its own yet.
   */
  deviceSessions: z
    .array(
      z.object({
        slot: z.number().int().optional(),
        token: z.string(),
        /** Whether it ends when the browser closes. */
        browserSession: z.boolean(),
        /** Undefined if the cookie does not name the user. */
        userId: z.string().optional(),
      }),
    )
    .optional(),
  /**
   * How a mailed link is opened: by a `call` of the application's code, as a `link` that any program may have followed, or as a
   * `prefetch` of a browser.
   */
  opening: z.enum(["call", "link", "prefetch"]).optional(),
});
export type Caller = z.output<typeof callerSchema>;

/** The maximum size of `resolved` as JSON. Larger additional fields are left out, because a header carries it. */
export const resolvedBytesMax = 65_536;

/**
 * A request header of the admin web. Its value `own` names the admin's own session, also while the browser keeps it aside during an
 * impersonation. The gateway accepts it only from pages of its own origin.
 */
export const ownSessionHeader = "x-latchkey-session";

export const callerHeader = "x-latchkey-caller";
export const callerLifetimeSeconds = 30;

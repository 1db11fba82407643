import type { z } from "zod";
import type { ErrorCode } from "./error-catalogue.ts";
import type { KeptName } from "./kept-values.ts";
import type { ServiceName } from "./service-name.ts";
import type { StepUp } from "./step-up.ts";

export type RedirectField =
  | "callbackURL"
  | "redirectTo"
  | "errorCallbackURL"
  | "newUserCallbackURL";

/** The parts of the option tree that enable or disable operations by their `enabled`. */
export type FeatureName =
  | "username"
  | "admin"
  | "jwt"
  | "openApi"
  | "organization"
  | "organizationAdmin"
  | "teams"
  | "teamsAdmin"
  | "organizationRoles"
  | "organizationRolesAdmin"
  | "apiKey"
  | "apiKeyAdmin"
  | "twoFactor"
  | "twoFactorAdmin"
  | "organizationTwoFactor"
  | "passkey"
  | "passkeyAdmin"
  | "magicLink"
  | "emailOTP"
  | "phoneNumber"
  | "phonePasswordReset"
  | "oneTimeToken"
  | "oneTap"
  | "oauthProxy"
  | "multiSession"
  | "anonymous"
  | "oauthProvider"
  | "oauthProviderAdmin"
  | "deviceAuthorization"
  | "webhooks"
  | "organizationWebhooks";

/** The permission that a caller's roles must grant, and the error if they do not. */
export interface RequiredPermission {
  readonly resource: string;
  readonly action: string;
  readonly refusal: ErrorCode;
}

/**
 * The declaration of one operation. The gateway's route, the service's mount, validation, serialization, the typed clients, the
 * OpenAPI document and the tests are all derived from it.
 */
export interface Operation {
  readonly name: string;
  readonly owner: ServiceName;
  /** `public` operations are reached through the gateway; `internal` ones by services with a service token, under `/internal`. */
  readonly exposure: "public" | "internal";
  /**
   * The gateway's limit for one client address:
   *
   * - `strict`: against guessing and mass registration
   * - `moderate`: answers that nobody can guess but whose check costs work
   * - `mailed link`, `mailed code` and `texted code`: operations that send or take those
   * - `file`: files of which a page requests many at once
   * - `switch`: the choice among device sessions
   * - `guest`: new guests
   * - `registration`: new clients of strangers
   * - `client`: the servers of other applications, which act for many users each
   * - `device`: devices that begin a sign-in
   * - `none`: internal operations
   * - `general`: all others
   */
  readonly rateClass:
    | "general"
    | "moderate"
    | "strict"
    | "mailed link"
    | "mailed code"
    | "texted code"
    | "file"
    | "switch"
    | "guest"
    | "registration"
    | "client"
    | "device"
    | "none";
  readonly method: "GET" | "POST";
  /** Below the base path, or below `/internal`. `{name}` is one segment, described in `params`. */
  readonly path: `/${string}`;
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: z.ZodType;
  /** Its errors, other than those of the transport. An error names its status if that differs from the catalogue's. */
  readonly errors: readonly (ErrorCode | readonly [code: ErrorCode, status: number])[];
  readonly access: "anyone" | "session" | "fresh session" | "permission";
  /** The error for callers without a session, if it is not `UNAUTHORIZED`. */
  readonly signedOut?: ErrorCode | readonly [code: ErrorCode, status: number];
  /** Required with the access `permission`. */
  readonly permission?: RequiredPermission;
  /** Refuses an admin who impersonates the user: it gives a credential that outlasts the impersonation, or removes a sign-in method. */
  readonly refusesImpersonators?: boolean;
  /**
   * Refuses a session that an API key opened. The operation changes keys, gives a credential that outlasts the key, changes a sign-in
   * method, or concerns the browser's own session.
   */
  readonly refusesApiKeys?: boolean;
  /** Serves guests. Other operations that require a session refuse them, unless the options allow theirs. */
  readonly admitsGuests?: boolean;
  /** Whether it requires a strong session of the caller, and why. */
  readonly stepUp: StepUp;
  /** Reads the device sessions of the browser. Sign-ins do without it. */
  readonly readsDeviceSessions?: boolean;
  /** The signed sign-in cookies (`keptCookies`) whose values it reads. */
  readonly readsKept?: readonly KeptName[];
  /**
   * Members of the body that change a sign-in method. A request that names one is refused in an impersonation and in a session that an
   * API key opened.
   */
  readonly waysIn?: readonly string[];
  /** Not offered while this part of the options is off. */
  readonly feature?: FeatureName;
  /** Redirect URLs in its input, in the order in which they are checked. */
  readonly redirects?: readonly RedirectField[];
  /** A repetition changes nothing more. The operation may be retried. */
  readonly repeatable?: boolean;
  /** A long poll. Its pending requests do not count when a replica is chosen. */
  readonly waitsForChange?: boolean;
  /**
   * Concurrent requests may share one call from the gateway to the owner. Only for repeatable operations without path parameters that
   * never redirect.
   */
  readonly sharesCalls?: boolean;
  /** Takes a request without a body too, whose `body` is then undefined. */
  readonly bodyOptional?: boolean;
  /** Accepts only JSON bodies, because an HTML form of a foreign page cannot send JSON. */
  readonly jsonOnly?: boolean;
  /** Pages of providers post to it. A request without any cookie of ours skips the origin check. */
  readonly postedByProviders?: boolean;
  /**
   * Its input holds a password. `checked`: the reply reveals whether a password is right, so guesses are possible. `set`: the input is
   * a new password.
   */
  readonly password?: "checked" | "set";
  /** Sends a mail to an address that may not be the caller's. */
  readonly mailsOthers?: boolean;
  /** Opened by a mailed link. Its `GET` must not act for programs that follow links in mails. */
  readonly mailedLink?: boolean;
  /** Its URL works once. A `HEAD` does not use it up, because programs examine URLs before their user opens them. */
  readonly worksOnce?: boolean;
  /** Serves a file that caches may share. Cookies and keys are neither read nor changed. */
  readonly servesFile?: boolean;
  /** Mails a link to callers without a session, so the owning service must know which browser requested it. */
  readonly mailsLink?: boolean;
  /** Acts on all sessions of the browser, and therefore ignores the header `x-latchkey-session`. */
  readonly actsOnBrowser?: boolean;
  /**
   * A protocol of others: its answer is sent as it is, with any status and media type, and its handler gets the body unread.
   *
   * - `client`: any page and program may call it. It gets the Authorization header, and no cookie.
   * - `browser`: browsers are sent to it. It gets the session of the cookie if there is one.
   */
  readonly protocol?: "browser" | "client";
  /** Takes callers without a session too, and gets the session if there is one. For operations of services that store no sessions. */
  readonly readsSession?: boolean;
  /** Reads when and how the user of the session was authenticated, which a cached session does not say. */
  readonly readsAuthentication?: boolean;
  /** Redirects instead of replying if the caller named a target: 302, or 303 after the form of a mailed link. */
  readonly mayRedirect?: boolean;
}

/** Declares an operation and keeps its literal types. */
export const operation = <const O extends Operation>(declared: O): O => declared;

type InputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** The validated input that a handler receives. */
export interface OperationInput<O extends Operation> {
  params: InputOf<O["params"]>;
  query: InputOf<O["query"]>;
  body: O["bodyOptional"] extends true ? InputOf<O["body"]> | undefined : InputOf<O["body"]>;
}

/** The reply of a handler: the schema's own type, with dates as `Date`. */
export type OperationReply<O extends Operation> = z.output<O["reply"]>;

/** A reply as JSON: dates are text. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer E)[]
    ? Wire<E>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

type SentAs<S> = S extends z.ZodType ? z.input<S> : undefined;

/** The input that a typed client sends for an operation. */
export interface OperationRequest<O extends Operation> {
  query?: SentAs<O["query"]>;
  body?: SentAs<O["body"]>;
}

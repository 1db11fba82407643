import type { z } from "zod";
import type { ErrorCode } from "./error-catalogue.ts";
import type { ServiceName } from "./service-name.ts";

export type RedirectField =
  | "callbackURL"
  | "redirectTo"
  | "errorCallbackURL"
  | "newUserCallbackURL";

/** The parts of the option tree that switch operations on and off by their `enabled`. */
export type FeatureName =
  | "username"
  | "admin"
  | "jwt"
  | "openApi"
  | "organization"
  | "organizationAdmin"
  | "teams"
  | "apiKey"
  | "apiKeyAdmin";

/** What a caller's roles must allow, and the refusal where they do not. */
export interface RequiredPermission {
  readonly resource: string;
  readonly action: string;
  readonly refusal: ErrorCode;
}

/**
 * One operation: everything that the gateway's route, the service's mount, validation, serialization, the typed
 * clients, the OpenAPI document and the tests need to know of it.
 */
export interface Operation {
  readonly name: string;
  readonly owner: ServiceName;
  /** `public` is reached through the gateway; `internal` by services with a service token, under `/internal`. */
  readonly exposure: "public" | "internal";
  readonly method: "GET" | "POST";
  /** Below the base path, or below `/internal`; `{name}` is one segment, described in `params`. */
  readonly path: `/${string}`;
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly reply: z.ZodType;
  /** What it may answer besides the errors of the transport; with a status where that is not the catalogue's. */
  readonly errors: readonly (ErrorCode | readonly [code: ErrorCode, status: number])[];
  readonly access: "anyone" | "session" | "fresh session" | "permission";
  /** The refusal of callers without a session, where it is not `UNAUTHORIZED`. */
  readonly signedOut?: ErrorCode | readonly [code: ErrorCode, status: number];
  /** Goes with the access `permission`. */
  readonly permission?: RequiredPermission;
  /** Refuses an admin who impersonates the user: it gives what outlasts the impersonation, or takes away a way in. */
  readonly refusesImpersonators?: boolean;
  /**
   * Refuses a session that an API key opened: it changes what keys there are, gives what outlasts the key, takes away a way in,
   * or is about the browser's own session.
   */
  readonly refusesApiKeys?: boolean;
  /** Not offered while this part of the options is off. */
  readonly feature?: FeatureName;
  /** Redirect URLs in its input, in the order in which they are checked. */
  readonly redirects?: readonly RedirectField[];
  /** Changes nothing that a repetition would change again: may be retried, and may run beside its rate limit. */
  readonly repeatable?: boolean;
  /** Takes a request without a body too, whose `body` is then undefined. */
  readonly bodyOptional?: boolean;
  /** Takes its body as JSON only, because no form of a foreign page can send that. */
  readonly jsonOnly?: boolean;
  /** Posted by pages of providers: without cookies of ours it may come from any origin. */
  readonly postedByProviders?: boolean;
  /** Answers 302 in place of its reply where the caller named a place to go. */
  readonly mayRedirect?: boolean;
}

/** Declares an operation, keeping its literal types. */
export const operation = <const O extends Operation>(declared: O): O => declared;

type InputOf<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a handler receives of the request's own input, after validation. */
export interface OperationInput<O extends Operation> {
  params: InputOf<O["params"]>;
  query: InputOf<O["query"]>;
  body: O["bodyOptional"] extends true ? InputOf<O["body"]> | undefined : InputOf<O["body"]>;
}

/** What a handler may give as the reply: the schema's own type, dates as `Date`. */
export type OperationReply<O extends Operation> = z.output<O["reply"]>;

/** A reply as JSON carries it: dates as text. */
export type Wire<T> = T extends Date
  ? string
  : T extends readonly (infer E)[]
    ? Wire<E>[]
    : T extends object
      ? { [K in keyof T]: Wire<T[K]> }
      : T;

type SentAs<S> = S extends z.ZodType ? z.input<S> : undefined;

/** What a typed client sends for an operation. */
export interface OperationRequest<O extends Operation> {
  query?: SentAs<O["query"]>;
  body?: SentAs<O["body"]>;
}

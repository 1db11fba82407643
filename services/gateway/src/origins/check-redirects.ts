import { type ErrorCode, type Operation, type RedirectField, WireError } from "@latchkey/contracts";
import { issuesOf } from "@latchkey/service-kit/http";
import { isAllowedRedirect } from "./redirect-target.ts";

type IsTrusted = (value: string) => boolean;

/** The error for each redirect field with a disallowed URL. */
export const redirectRefusals = {
  callbackURL: "INVALID_CALLBACKURL",
  redirectTo: "INVALID_REDIRECTURL",
  errorCallbackURL: "INVALID_ERRORCALLBACKURL",
  newUserCallbackURL: "INVALID_NEWUSERCALLBACKURL",
} as const satisfies Record<RedirectField, ErrorCode>;

type Input = Readonly<Record<string, unknown>>;

const isInput = (value: unknown): value is Input => typeof value === "object" && value !== null;

/** Refuses a field that is not text with all issues of the body, as its owner would. */
const refuseInput = ({ body: schema }: Operation, body: Input, field: RedirectField): never => {
  const error = schema?.safeParse(body).error;
  const issues = error
    ? issuesOf(error)
    : [{ path: field, message: "Invalid input: expected string" }];
  throw new WireError("VALIDATION_ERROR", { issues });
};

/** Reads the fields of a POST from its body, otherwise from its query. */
const checkPost = (
  operation: Operation,
  { body, query }: { body: Input; query: Input },
  isTrusted: IsTrusted,
): void => {
  for (const field of operation.redirects ?? []) {
    const value = field in body ? body[field] : query[field];
    if (value === undefined || value === "") continue;
    if (typeof value !== "string") return refuseInput(operation, body, field);
    if (!isAllowedRedirect(value, isTrusted)) throw new WireError(redirectRefusals[field]);
  }
};

/** A GET has them in its query. An input that fails its schema is refused first, by the owner, which reads the same input. */
const checkGet = (operation: Operation, query: Input, isTrusted: IsTrusted): void => {
  for (const field of operation.redirects ?? []) {
    const value = query[field];
    if (typeof value !== "string" || value === "" || isAllowedRedirect(value, isTrusted)) continue;
    if (operation.query?.safeParse(query).success) throw new WireError(redirectRefusals[field]);
  }
};

/**
 * Refuses a request with a redirect URL that is neither trusted nor a safe relative path. `query` must be parsed as its owner parses it,
 * because a second parser might see another URL.
 */
export const checkRedirects = (
  operation: Operation,
  sent: { query: unknown; body: unknown },
  isTrusted: IsTrusted,
): void => {
  if (!operation.redirects) return;
  const query = isInput(sent.query) ? sent.query : {};
  if (operation.method === "GET") checkGet(operation, query, isTrusted);
  else checkPost(operation, { body: isInput(sent.body) ? sent.body : {}, query }, isTrusted);
};

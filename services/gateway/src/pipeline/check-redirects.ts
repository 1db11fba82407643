import { type ErrorCode, type Operation, type RedirectField, WireError } from "@latchkey/contracts";
import { isAllowedRedirect } from "../origins/redirect-target.ts";

type IsTrusted = (value: string) => boolean;

/** How a request is refused that names a place which may not be gone to. */
export const redirectRefusals = {
  callbackURL: "INVALID_CALLBACKURL",
  redirectTo: "INVALID_REDIRECTURL",
  errorCallbackURL: "INVALID_ERRORCALLBACKURL",
  newUserCallbackURL: "INVALID_NEWUSERCALLBACKURL",
} as const satisfies Record<RedirectField, ErrorCode>;

type Input = Readonly<Record<string, unknown>>;

const isInput = (value: unknown): value is Input => typeof value === "object" && value !== null;

/** Of a POST the body says it, or else the query; what is no text was meant as no URL. */
const checkPost = (
  operation: Operation,
  { body, query }: { body: Input; query: Input },
  isTrusted: IsTrusted,
): void => {
  for (const field of operation.redirects ?? []) {
    const value = field in body ? body[field] : query[field];
    if (value === undefined || value === "") continue;
    if (typeof value !== "string") throw new WireError("VALIDATION_ERROR");
    if (!isAllowedRedirect(value, isTrusted)) throw new WireError(redirectRefusals[field]);
  }
};

/** Of a GET the query says it. What fails its schema is told so first, by the owner, who reads the same. */
const checkGet = (operation: Operation, query: Input, isTrusted: IsTrusted): void => {
  for (const field of operation.redirects ?? []) {
    const value = query[field];
    if (typeof value !== "string" || value === "" || isAllowedRedirect(value, isTrusted)) continue;
    if (operation.query?.safeParse(query).success) throw new WireError(redirectRefusals[field]);
  }
};

/**
 * Refuses a request that names a place to redirect to which is neither trusted nor a safe path of our own. `query` must
 * be read as the owner reads it: a second parser may see another URL.
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

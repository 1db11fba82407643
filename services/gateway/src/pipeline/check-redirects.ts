import { type ErrorCode, type Operation, type RedirectField, WireError } from "@latchkey/contracts";
import { isAllowedRedirect } from "../origins/redirect-target.ts";

type IsTrusted = (value: string) => boolean;

const refusals = {
  callbackURL: "INVALID_CALLBACKURL",
  redirectTo: "INVALID_REDIRECTURL",
  errorCallbackURL: "INVALID_ERRORCALLBACKURL",
  newUserCallbackURL: "INVALID_NEWUSERCALLBACKURL",
} as const satisfies Record<RedirectField, ErrorCode>;

const checkBody = (operation: Operation, body: unknown, isTrusted: IsTrusted): void => {
  if (typeof body !== "object" || body === null) return; // the schema refuses it
  for (const field of operation.redirects ?? []) {
    const value = (body as Record<string, unknown>)[field];
    if (value === undefined || value === "") continue;
    if (typeof value !== "string") throw new WireError("VALIDATION_ERROR");
    if (!isAllowedRedirect(value, isTrusted)) throw new WireError(refusals[field]);
  }
};

const checkQuery = (operation: Operation, search: string, isTrusted: IsTrusted): void => {
  const sent = new URLSearchParams(search);
  for (const field of operation.redirects ?? []) {
    const values = sent.getAll(field);
    const [value] = values;
    if (values.length !== 1 || !value) continue; // absent, empty, or repeated: the schema decides
    if (isAllowedRedirect(value, isTrusted)) continue;
    // What fails its schema is told so first.
    if (operation.query?.safeParse(Object.fromEntries(sent)).success)
      throw new WireError(refusals[field]);
  }
};

/** Refuses a request that names a place to redirect to which is neither trusted nor a safe path of our own. */
export const checkRedirects = (
  operation: Operation,
  sent: { search: string; body: unknown },
  isTrusted: IsTrusted,
): void => {
  if (!operation.redirects) return;
  if (operation.method === "GET") checkQuery(operation, sent.search, isTrusted);
  else checkBody(operation, sent.body, isTrusted);
};

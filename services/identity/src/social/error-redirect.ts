import { type Caller, isAccountWebServed, type SessionEffect } from "@latchkey/contracts";
import { setQuery } from "@latchkey/service-kit/http";
import type { Deps } from "../deps.ts";

/** Forbids caching and the referrer, because the URL contains code and state. */
export const callbackHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
} as const;

/** An error for the client's page: a short code, and a description if there is one. */
export interface FlowError {
  error: string;
  description?: string | undefined;
}

const wordLengthMax = 128;
const sentenceLengthMax = 1_024;

/** Keeps only printable ASCII, because an attacker may control the text. */
const printable = (text: string, max: number) => text.replaceAll(/[^\x20-\x7E]/g, "").slice(0, max);

/** Returns the page for errors outside of a flow. */
export const defaultErrorUrl = ({ config }: Pick<Deps, "config">, caller: Caller): string =>
  config.onAPIError.errorURL ?? `${caller.baseUrl}/error`;

/**
 * Returns the error page of a flow that began in the account web, which explains every error. Only a path can be such a page, so it is on our
 * origin. Other clients get some errors on the default page alone.
 */
export const accountErrorPage = (
  { config }: Pick<Deps, "config">,
  { errorURL = "" }: { errorURL?: string | undefined },
): string | undefined => {
  const path = config.account.path.replace(/\/$/, "");
  return isAccountWebServed(config) && errorURL.startsWith(`${path}/`) ? errorURL : undefined;
};

/** Redirects the browser to a page that shows an error. */
export const errorRedirect = (
  url: string,
  { error, description }: FlowError,
  effect?: SessionEffect,
) => {
  const word = printable(error, wordLengthMax) || "unknown_error";
  const sentence = printable(description ?? "", sentenceLengthMax);
  const parameters = { error: word, ...(sentence ? { error_description: sentence } : {}) };
  return { redirect: setQuery(url, parameters), headers: callbackHeaders, effect };
};

import type { Caller, SessionEffect } from "@latchkey/contracts";
import type { Deps } from "../deps.ts";

/** Neither kept by anybody nor named to where the browser goes next: the address holds code and state. */
export const callbackHeaders = {
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
} as const;

/** What went wrong, for the page that tells it: a short word, and a sentence where there is one. */
export interface FlowError {
  error: string;
  description?: string | undefined;
}

const wordLengthMax = 128;
const sentenceLengthMax = 1_024;

/** Printable ASCII alone: the text may be anybody's. */
const printable = (text: string, max: number) => text.replaceAll(/[^\x20-\x7E]/g, "").slice(0, max);

/** Where errors go that belong to no flow. */
export const defaultErrorUrl = ({ config }: Pick<Deps, "config">, caller: Caller): string =>
  config.onAPIError.errorURL ?? `${caller.baseUrl}/error`;

/** Sends the browser to a page that tells an error. */
export const errorRedirect = (
  url: string,
  { error, description }: FlowError,
  effect?: SessionEffect,
) => {
  const word = printable(error, wordLengthMax) || "unknown_error";
  const parameters = [`error=${encodeURIComponent(word)}`];
  const sentence = printable(description ?? "", sentenceLengthMax);
  if (sentence) parameters.push(`error_description=${encodeURIComponent(sentence)}`);
  const [page = ""] = url.split("#", 1);
  const query = `${page.includes("?") ? "&" : "?"}${parameters.join("&")}`;
  const redirect = `${page}${query}${url.slice(page.length)}`;
  return { redirect, headers: callbackHeaders, effect };
};

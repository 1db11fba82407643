import type { Caller } from "@latchkey/contracts";
import { headerOf, type Inbound } from "./read-inbound.ts";
import type { Trust } from "./trust.ts";

/** The request headers that show how a mailed link is opened, each as received. */
export interface OpeningHeaders {
  readonly accept?: string | undefined;
  readonly contentType?: string | undefined;
  readonly origin?: string | undefined;
  readonly secFetchMode?: string | undefined;
  readonly secFetchSite?: string | undefined;
  /** From Sec-Purpose, Purpose or X-Moz. */
  readonly purpose?: string | undefined;
}

export interface Opened {
  method: string;
  /** The redirect target of the request. A mailed link always has one. */
  callbackURL: unknown;
  headers: OpeningHeaders;
}

const listOf = (header: string | undefined): string[] =>
  (header ?? "")
    .toLowerCase()
    .split(/[,;]/)
    .map((one) => one.trim());

const scriptModes = new Set(["cors", "same-origin"]);

/** Returns whether a GET is a call of the application's own code, which no program that follows links makes. */
const isCall = ({ callbackURL, headers }: Opened, { isTrusted }: Pick<Trust, "isTrusted">) => {
  const { accept, origin, secFetchMode, secFetchSite } = headers;
  if (secFetchMode !== undefined && !listOf(secFetchMode).every((mode) => scriptModes.has(mode)))
    return false;
  if (secFetchMode === undefined && listOf(accept).includes("text/html")) return false;
  if (origin !== undefined) return isTrusted(origin); // only scripts send it with a GET
  if (secFetchSite !== undefined)
    return listOf(secFetchSite).every((site) => site === "same-origin");
  // Not a browser. An application that extracted the token from a link sends no callbackURL, but every mailed link has one.
  return callbackURL === undefined || callbackURL === "";
};

/** Returns how a mailed link is opened. A form posts like the page of a link does; a POST with JSON is a call. */
export const judgeOpening = (
  opened: Opened,
  trust: Pick<Trust, "isTrusted">,
): NonNullable<Caller["opening"]> => {
  const { method, headers } = opened;
  if (method !== "GET") return headers.contentType?.includes("application/json") ? "call" : "link";
  if (listOf(headers.purpose).includes("prefetch")) return "prefetch";
  return isCall(opened, trust) ? "call" : "link";
};

/** Reads how a request opens a mailed link. */
export const readOpening = ({ request }: Inbound, trust: Trust) => {
  const header = (name: string) => headerOf(request, name);
  return judgeOpening(
    {
      method: request.method,
      callbackURL: (request.query as { callbackURL?: unknown }).callbackURL,
      headers: {
        accept: header("accept"),
        contentType: header("content-type"),
        origin: header("origin"),
        secFetchMode: header("sec-fetch-mode"),
        secFetchSite: header("sec-fetch-site"),
        purpose: header("sec-purpose") ?? header("purpose") ?? header("x-moz"),
      },
    },
    trust,
  );
};

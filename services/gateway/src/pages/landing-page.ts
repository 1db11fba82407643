import { escapeHtml } from "@latchkey/contracts";
import type { GatewayConfig } from "../config.ts";
import type { PageLook } from "./page-look.ts";
import { plainPage } from "./plain-page.ts";

/** Targets of mailed links while no application URL is configured: the root of our origin, and invitations below it. */
const landings = /^\/(?:$|accept-invitation\/[^/]+\/?$)/;

/** Returns whether our mailed links may lead to a path outside the base path. */
export const isLanding = (path: string): boolean => landings.test(path);

/**
 * Returns the page of the account web that takes the place of a landing page, with the query that the link added. It is a path below that
 * web. Undefined if the query is none of our links.
 */
export const accountLanding = (path: string, given: string): string | undefined => {
  const query = new URLSearchParams(given);
  const [, id] = /^\/accept-invitation\/([^/]+)/.exec(path) ?? [];
  const search = given === "" ? "" : `?${given}`;
  const proof = query.get("proof");
  if (id !== undefined)
    return `/invitation/${id}${proof ? `?proof=${encodeURIComponent(proof)}` : ""}`;
  if (query.has("token")) return `/reset-password${search}`;
  if (query.has("error")) return `/error${search}`;
  return query.has("twoFactorRedirect") ? `/continue${search}` : undefined;
};

const untold =
  "This service does not know where the application is. Tell its operator to set APP_URL.";

/** The text of the page. Anyone can link here with any query, so the page shows none of it. */
const textOf = (path: string, query: URLSearchParams): [title: string, text: string] => {
  if (path !== "/") return ["You have been invited", untold];
  if (query.has("token")) return ["Choose a new password", untold];
  if (query.has("error"))
    return [
      "This link did not work",
      "It may be too old, or used already. Ask for a new one in the application.",
    ];
  return [
    "Nothing more to do here",
    "If a link in a mail brought you here, it has worked. You can close this page.",
  ];
};

/** Returns the page for a link that names no page of an application. */
export const landingPage = (
  { look, appURLs }: Pick<GatewayConfig, "appURLs"> & { look: PageLook },
  { path, query }: { path: string; query: URLSearchParams },
): string => {
  const [title, text] = textOf(path, query);
  const [home] = appURLs;
  const link = home ? `\n<p><a href="${escapeHtml(home)}">Go to the application</a></p>` : "";
  return plainPage({ look }, title, `<p>${text}</p>${link}`);
};

import { WireError } from "@latchkey/contracts";
import { setQuery } from "@latchkey/service-kit/http";
import type { Deps, Handler, ProtocolHandler } from "../deps.ts";
import type { LogoutRequest } from "../engine/logout-request.ts";
import { readQuery, signQuery } from "../engine/oauth-query.ts";
import type { ProtocolAnswer } from "../engine/protocol-request.ts";
import { interactionSeconds } from "../engine/work.ts";
import { issuerOf } from "./go-on.ts";
import { forBrowser } from "./protocol.ts";
import { signedInOf } from "./signed-in.ts";

/** Marks a query as one of this page, and no answer of it as that of another. */
const page = "logout";
const formBytesMax = 8_192;

const goTo = (location: string, status = 302): ProtocolAnswer => ({
  status,
  headers: { location, "cache-control": "no-store" },
  body: "",
});

/** Returns the address of the client to which the browser goes, or undefined if it stays here. */
const returnOf = ({ redirectUri, state }: LogoutRequest): string | undefined =>
  redirectUri && setQuery(redirectUri, { ...(state !== undefined && { state }) });

const accountOf = ({ config }: Pick<Deps, "config">, issuer: string): string =>
  new URL(issuer).origin + config.accountPath.replace(/\/$/, "");

/** Sends a signed-in user to the page that asks, and anybody else back to the client at once, because there is nothing to end. */
const lead = (
  deps: Deps,
  issuer: string,
  { request, isSignedIn }: { request: LogoutRequest; isSignedIn: boolean },
): string => {
  const account = accountOf(deps, issuer);
  if (!isSignedIn) return returnOf(request) ?? `${account}/sign-in?reason=signed-out`;
  const { clientId: client_id, redirectUri: post_logout_redirect_uri, state } = request;
  const params = { client_id, post_logout_redirect_uri, state };
  const times = { now: deps.clock(), lifetimeSeconds: interactionSeconds };
  const query = signQuery(deps.ring, { interactionId: page, params }, times);
  return `${account}/log-out?${new URLSearchParams({ query }).toString()}`;
};

/**
 * Begins the logout that a client asks for (OpenID Connect RP-Initiated Logout 1.0). It ends nothing: an ID token, which many may have, must not
 * sign its user out, so the user is always asked.
 */
export const oauthEndSession: ProtocolHandler<"oauthEndSession"> = async (
  deps,
  { caller, protocol: { search } },
) => {
  const issuer = issuerOf(deps, caller);
  const engine = await deps.findEngine(issuer);
  const request = await engine.readLogout(new URLSearchParams(search));
  if ("error" in request) {
    const answer = { status: 400, headers: {}, body: "", page: request };
    return forBrowser(deps, issuer, answer);
  }
  const isSignedIn = signedInOf(caller) !== undefined;
  return { protocol: goTo(lead(deps, issuer, { request, isSignedIn })) };
};

/** A form of another site carries no cookie, so the browser comes again by a GET, which does. */
export const oauthEndSessionByForm: ProtocolHandler<"oauthEndSessionByForm"> = async (
  deps,
  { caller, protocol: { body = Buffer.alloc(0) } },
) => {
  const issuer = issuerOf(deps, caller);
  if (body.length > formBytesMax) {
    const error = { error: "invalid_request", error_description: "the form is too large" };
    return forBrowser(deps, issuer, { status: 400, headers: {}, body: "", page: error });
  }
  const query = new URLSearchParams(body.toString()).toString();
  return { protocol: goTo(`${issuer}/oauth2/end-session?${query}`, 303) };
};

/** Returns where the browser goes after the user has signed out. Throws `INVALID_SIGNATURE` for a query of another page, or a changed one. */
export const confirmOauthLogout: Handler<"confirmOauthLogout"> = async (
  deps,
  { caller, body: { oauth_query } },
) => {
  const read = readQuery(deps.ring, oauth_query, deps.clock());
  if (read?.interactionId !== page) throw new WireError("INVALID_SIGNATURE");
  const redirectUri = read.params.get("post_logout_redirect_uri") ?? undefined;
  const state = read.params.get("state") ?? undefined;
  const url = returnOf({ redirectUri, state });
  const account = accountOf(deps, issuerOf(deps, caller));
  return { reply: { redirect: true, url: url ?? `${account}/sign-in?reason=signed-out` } };
};

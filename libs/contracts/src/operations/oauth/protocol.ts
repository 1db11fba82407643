import { z } from "zod";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { stepUps } from "../../step-up.ts";

/** The answers are those of the standards that the summaries name. */
const anyAnswer = z.unknown();

const ofProtocol = {
  owner: "oauth",
  exposure: "public",
  feature: "oauthProvider",
  access: "anyone",
  stepUp: stepUps.noSession,
  reply: anyAnswer,
  errors: [],
} as const;

const ofClients = { ...ofProtocol, protocol: "client", rateClass: "client" } as const;
const ofBrowsers = {
  ...ofProtocol,
  protocol: "browser",
  rateClass: "general",
  readsAuthentication: true,
} as const;

/** The endpoints of OAuth 2.1 and OpenID Connect. */
export const oauthProtocolOperations = operationGroup("Sign in to other applications", {
  oauthMetadata: operation({
    ...ofClients,
    name: "oauthMetadata",
    method: "GET",
    path: "/.well-known/openid-configuration",
    summary: "The metadata of the provider (OpenID Connect Discovery, RFC 8414).",
    repeatable: true,
  }),
  oauthJwks: operation({
    ...ofClients,
    name: "oauthJwks",
    method: "GET",
    path: "/oauth2/jwks",
    summary: "The public keys by which clients verify ID tokens (RFC 7517).",
    repeatable: true,
  }),
  oauthAuthorize: operation({
    ...ofBrowsers,
    name: "oauthAuthorize",
    method: "GET",
    path: "/oauth2/authorize",
    summary: "Begins a sign-in to a client, or continues one with the query of a page (RFC 6749).",
    // Its answer may hold a code.
    worksOnce: true,
  }),
  oauthAuthorizeByForm: operation({
    ...ofBrowsers,
    name: "oauthAuthorizeByForm",
    method: "POST",
    path: "/oauth2/authorize",
    summary: "The same by a form. It is answered by a redirect to the GET.",
  }),
  oauthEndSession: operation({
    ...ofBrowsers,
    name: "oauthEndSession",
    method: "GET",
    path: "/oauth2/end-session",
    summary:
      "Leads to the page that asks whether to sign out (OpenID Connect RP-Initiated Logout).",
    repeatable: true,
  }),
  oauthEndSessionByForm: operation({
    ...ofBrowsers,
    name: "oauthEndSessionByForm",
    method: "POST",
    path: "/oauth2/end-session",
    summary: "The same by a form. It is answered by a redirect to the GET.",
  }),
  oauthPar: operation({
    ...ofClients,
    name: "oauthPar",
    method: "POST",
    path: "/oauth2/par",
    summary: "Pushes an authorization request (RFC 9126).",
  }),
  oauthToken: operation({
    ...ofClients,
    name: "oauthToken",
    method: "POST",
    path: "/oauth2/token",
    summary:
      "Exchanges a code or a refresh token, or gives a client a token of its own (RFC 6749).",
  }),
  oauthRegister: operation({
    ...ofClients,
    name: "oauthRegister",
    rateClass: "registration",
    method: "POST",
    path: "/oauth2/register",
    summary: "Registers a client (RFC 7591), if the options allow it.",
  }),
  oauthIntrospect: operation({
    ...ofClients,
    name: "oauthIntrospect",
    method: "POST",
    path: "/oauth2/introspect",
    summary: "Tells a client whether one of its tokens is active (RFC 7662).",
  }),
  oauthRevoke: operation({
    ...ofClients,
    name: "oauthRevoke",
    method: "POST",
    path: "/oauth2/revoke",
    summary: "Revokes a token. A refresh token takes everything of its sign-in along (RFC 7009).",
  }),
  oauthUserinfo: operation({
    ...ofClients,
    name: "oauthUserinfo",
    method: "GET",
    path: "/oauth2/userinfo",
    summary: "The claims about the user of an access token (OpenID Connect Core).",
    repeatable: true,
  }),
  oauthUserinfoByForm: operation({
    ...ofClients,
    name: "oauthUserinfoByForm",
    method: "POST",
    path: "/oauth2/userinfo",
    summary: "The same by a form.",
  }),
});

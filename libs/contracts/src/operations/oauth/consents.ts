import { z } from "zod";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";

const id = plainText(255);
/** Scope names, separated by blanks. */
const scopeList = plainText(4_096);

/** The query of the page that the provider showed, with its signature. */
const oauthQuery = z.string().max(16_384);

const onward = z.object({ redirect: z.literal(true), url: z.string() });

/** The public facts about a client. */
const publicClient = z.object({
  client_id: z.string(),
  client_name: z.string().optional(),
  client_uri: z.string().optional(),
  logo_uri: z.string().optional(),
  contacts: z.array(z.string()).optional(),
  tos_uri: z.string().optional(),
  policy_uri: z.string().optional(),
  redirect_uris: z.array(z.string()),
  /** Whether an admin created it. Any other one may bear any name. */
  is_verified: z.boolean(),
});

export const consent = z.object({
  id: z.string(),
  clientId: z.string(),
  /** Absent if the client has none. */
  clientName: z.string().optional(),
  /** The hosts of the client's redirect URIs, or the schemes of those that are no web addresses. */
  clientHosts: z.array(z.string()),
  userId: z.string(),
  /** Empty if an admin trusts the client, so that the user was not asked. */
  scopes: z.array(z.string()),
  /** The last time that the user signed in to the client, or that it got a token for the user. */
  lastUsedAt: timestamp.nullable(),
  /** Identifiers of the resources for which the client gets access tokens of the user. */
  resources: z.array(z.string()),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const ofUsers = {
  owner: "oauth",
  exposure: "public",
  feature: "oauthProvider",
  rateClass: "general",
  access: "session",
} as const;

/** An impersonator, or a key, must not give applications lasting access to a user. */
const givesAccess = {
  ...ofUsers,
  stepUp: stepUps.ordinary,
  refusesImpersonators: true,
  refusesApiKeys: true,
  readsAuthentication: true,
  errors: ["INVALID_SIGNATURE", "INVALID_REQUEST"],
} as const;

/** The decisions of users about clients. */
export const oauthConsentOperations = operationGroup("Sign in to other applications", {
  oauthConsent: operation({
    ...givesAccess,
    name: "oauthConsent",
    method: "POST",
    path: "/oauth2/consent",
    summary: "Answers a consent page. The browser goes on to the URL of the reply.",
    body: z.object({
      accept: z.boolean(),
      /** The scopes to grant, if not all that the client asks for. */
      scope: scopeList.optional(),
      oauth_query: oauthQuery,
    }),
    reply: onward,
  }),
  oauthContinue: operation({
    ...givesAccess,
    name: "oauthContinue",
    method: "POST",
    path: "/oauth2/continue",
    summary: "Continues after a sign-in or a sign-up.",
    body: z.object({
      selected: z.literal(true).optional(),
      created: z.literal(true).optional(),
      postLogin: z.literal(true).optional(),
      oauth_query: oauthQuery,
    }),
    reply: onward,
  }),
  confirmOauthLogout: operation({
    ...ofUsers,
    name: "confirmOauthLogout",
    access: "anyone",
    stepUp: stepUps.noSession,
    method: "POST",
    path: "/oauth2/end-session/confirm",
    summary: "Tells the page of a logout where the browser goes. It ends no session.",
    body: z.object({ oauth_query: oauthQuery }),
    reply: onward,
    errors: ["INVALID_SIGNATURE"],
  }),
  getOauthPublicClient: operation({
    ...ofUsers,
    name: "getOauthPublicClient",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/oauth2/public-client",
    summary: "Shows a client to a user who is asked for consent.",
    query: z.object({ client_id: id }),
    reply: publicClient,
    errors: ["OAUTH_CLIENT_NOT_FOUND"],
    repeatable: true,
  }),
  listOauthConsents: operation({
    ...ofUsers,
    name: "listOauthConsents",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/oauth2/get-consents",
    summary: "Lists the clients to which the user has granted scopes.",
    reply: z.array(consent),
    errors: [],
    repeatable: true,
  }),
  getOauthConsent: operation({
    ...ofUsers,
    name: "getOauthConsent",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/oauth2/get-consent",
    summary: "Shows a consent of the user.",
    query: z.object({ id }),
    reply: consent,
    errors: ["OAUTH_CONSENT_NOT_FOUND"],
    repeatable: true,
  }),
  updateOauthConsent: operation({
    ...ofUsers,
    name: "updateOauthConsent",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/oauth2/update-consent",
    summary: "Takes scopes away from a consent, and ends the grants of the client.",
    body: z.object({ id, update: z.object({ scopes: z.array(plainText(100)).max(100) }) }),
    reply: consent,
    errors: ["OAUTH_CONSENT_NOT_FOUND", "INVALID_REQUEST"],
  }),
  deleteOauthConsent: operation({
    ...ofUsers,
    name: "deleteOauthConsent",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/oauth2/delete-consent",
    summary: "Withdraws a consent. Everything that the client has for the user ends.",
    body: z.object({ id }),
    reply: z.object({ success: z.literal(true) }),
    errors: ["OAUTH_CONSENT_NOT_FOUND"],
  }),
});

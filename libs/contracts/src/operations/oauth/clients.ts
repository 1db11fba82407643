import { z } from "zod";
import { operation } from "../../operation.ts";
import { operationGroup } from "../../operation-group.ts";
import { plainText, timestamp } from "../../plain-text.ts";
import { stepUps } from "../../step-up.ts";
import { oneOrMore, pageQuery, pageTotals } from "../pages.ts";
import { consent } from "./consents.ts";
import { deviceGrantType } from "./devices.ts";

const id = plainText(255);
const httpsUrl = z.url({ protocol: /^https$/, error: "must be an https URL" }).max(2_048);
const uri = plainText(2_048);

const grantType = z.enum([
  "authorization_code",
  "refresh_token",
  "client_credentials",
  deviceGrantType,
]);

/** A public key of a client. */
const publicJwk = z
  .record(z.string().max(50), z.unknown())
  .refine(({ kty }) => kty === "RSA" || kty === "EC" || kty === "OKP", "must be public keys")
  .refine((jwk) => !("d" in jwk) && !("k" in jwk), "must be public keys");

/** Client metadata by the names of RFC 7591, which has unknown members ignored. */
export const oauthClientMetadata = z.object({
  client_name: plainText(200).optional(),
  client_uri: httpsUrl.optional(),
  logo_uri: httpsUrl.optional(),
  tos_uri: httpsUrl.optional(),
  policy_uri: httpsUrl.optional(),
  contacts: z.array(plainText(320)).max(10).optional(),
  redirect_uris: z.array(uri).max(50).optional(),
  post_logout_redirect_uris: z.array(uri).max(50).optional(),
  grant_types: z.array(grantType).max(4).optional(),
  token_endpoint_auth_method: z
    .enum(["client_secret_basic", "client_secret_post", "private_key_jwt", "none"])
    .optional(),
  application_type: z.enum(["web", "native"]).optional(),
  /** Scope names, separated by blanks. */
  scope: plainText(4_096).optional(),
  id_token_signed_response_alg: z.enum(["RS256", "ES256", "EdDSA"]).optional(),
  /** The keys of `private_key_jwt`. */
  jwks: z.object({ keys: z.array(publicJwk).min(1).max(10) }).optional(),
  /** Tokens are bound to a key of the client (DPoP, RFC 9449). */
  dpop_bound_access_tokens: z.boolean().optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  default_max_age: z.int().min(0).optional(),
  subject_type: z.literal("public").optional(),
});
const metadata = oauthClientMetadata.shape;

/** Members that decide what a client may do without asking. */
const powers = {
  /** Users are not asked for consent. Has no effect for native clients. */
  skip_consent: z.boolean().optional(),
  require_pkce: z.boolean().optional(),
  /** The scopes of `client_credentials`. Without any, the client may not use that grant. */
  client_credentials_scopes: z.array(plainText(100)).max(100).optional(),
  /** Identifiers of the resources for which the client gets access tokens. */
  resources: z.array(plainText(2_048)).max(100).optional(),
  /** Turns on everything that the FAPI 2.0 Security Profile asks of a client. */
  profile: z.literal("fapi2").optional(),
  disabled: z.boolean().optional(),
};

const client = z.object({
  client_id: z.string(),
  ...metadata,
  redirect_uris: z.array(z.string()),
  skip_consent: z.boolean(),
  require_pkce: z.boolean(),
  client_credentials_scopes: z.array(z.string()),
  resources: z.array(z.string()),
  profile: z.literal("fapi2").optional(),
  disabled: z.boolean(),
  /** Seconds since the epoch. */
  client_id_issued_at: z.number(),
});

const clientWithSecret = client.extend({
  /** Shown this once. Absent for a client without one. */
  client_secret: z.string().optional(),
  /** 0: never. */
  client_secret_expires_at: z.literal(0).optional(),
});

/** A client as admins see it. */
const adminClient = client.extend({
  /** The last time that a user signed in to it, or that it got a token. */
  last_used_at: timestamp.nullable(),
  /** The former secret works until then. Null if only the present one works. */
  former_secret_until: timestamp.nullable(),
  /** The user who created it. Empty if the command line did. */
  created_by: z.string(),
});

const ofAdmins = {
  owner: "oauth",
  exposure: "public",
  feature: "oauthProviderAdmin",
  rateClass: "general",
  access: "permission",
  refusesImpersonators: true,
  refusesApiKeys: true,
} as const;

const may = <const Refusal extends string>(action: string, refusal: Refusal) =>
  ({ resource: "oauthClient", action, refusal }) as const;

const mayList = may("list", "YOU_ARE_NOT_ALLOWED_TO_LIST_CLIENTS");
const mayUpdate = may("update", "YOU_ARE_NOT_ALLOWED_TO_UPDATE_CLIENTS");

/** The clients of the installation, for admins with the permission `oauthClient`. */
export const oauthClientOperations = operationGroup("Sign in to other applications", {
  createOauthClient: operation({
    ...ofAdmins,
    name: "createOauthClient",
    stepUp: stepUps.oauthClient,
    method: "POST",
    path: "/oauth2/create-client",
    summary: "Creates a client and shows its secret this once.",
    permission: may("create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_CLIENTS"),
    body: z.object({ ...metadata, ...powers }),
    reply: clientWithSecret,
    errors: ["INVALID_REQUEST"],
  }),
  getOauthClient: operation({
    ...ofAdmins,
    name: "getOauthClient",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/oauth2/get-client",
    summary: "Shows a client without its secret.",
    permission: mayList,
    query: z.object({ client_id: id }),
    reply: client,
    errors: ["OAUTH_CLIENT_NOT_FOUND"],
    repeatable: true,
  }),
  listOauthClients: operation({
    ...ofAdmins,
    name: "listOauthClients",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/oauth2/get-clients",
    summary: "Lists up to a thousand clients, newest first.",
    permission: mayList,
    reply: z.array(client),
    errors: [],
    repeatable: true,
  }),
  updateOauthClient: operation({
    ...ofAdmins,
    name: "updateOauthClient",
    stepUp: stepUps.oauthClient,
    method: "POST",
    path: "/oauth2/update-client",
    summary: "Changes a client. A disabled one is refused everywhere at once.",
    permission: mayUpdate,
    body: z.object({ client_id: id, update: z.object({ ...metadata, ...powers }) }),
    reply: client,
    errors: ["OAUTH_CLIENT_NOT_FOUND", "INVALID_REQUEST"],
  }),
  rotateOauthClientSecret: operation({
    ...ofAdmins,
    name: "rotateOauthClientSecret",
    stepUp: stepUps.oauthClient,
    method: "POST",
    path: "/oauth2/client/rotate-secret",
    summary: "Gives a client a new secret and shows it this once.",
    permission: mayUpdate,
    body: z.object({
      client_id: id,
      /** Seconds for which the former secret works too. Default: none. */
      overlapSeconds: z.int().min(0).max(2_592_000).optional(),
    }),
    reply: clientWithSecret,
    errors: ["OAUTH_CLIENT_NOT_FOUND", "INVALID_REQUEST"],
  }),
  createOauthRegistrationToken: operation({
    ...ofAdmins,
    name: "createOauthRegistrationToken",
    stepUp: stepUps.oauthClient,
    method: "POST",
    path: "/oauth2/create-registration-token",
    summary: "Creates a token with which one client registers itself within a week.",
    permission: may("create", "YOU_ARE_NOT_ALLOWED_TO_CREATE_CLIENTS"),
    reply: z.object({
      /** Shown this once. */
      token: z.string(),
      expiresAt: timestamp,
    }),
    errors: ["INVALID_REQUEST"],
  }),
  deleteOauthClient: operation({
    ...ofAdmins,
    name: "deleteOauthClient",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/oauth2/delete-client",
    summary: "Deletes a client with everything that it has of users.",
    permission: may("delete", "YOU_ARE_NOT_ALLOWED_TO_DELETE_CLIENTS"),
    body: z.object({ client_id: id }),
    reply: z.object({ success: z.literal(true) }),
    errors: ["OAUTH_CLIENT_NOT_FOUND"],
  }),
});

const byId = { params: z.object({ id }), errors: ["OAUTH_CLIENT_NOT_FOUND"] } as const;

/** Clients and their users, for the admin web. */
export const oauthAdminOperations = operationGroup("Admin", {
  adminListOauthClients: operation({
    ...ofAdmins,
    name: "adminListOauthClients",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/oauth2/clients",
    summary: "Searches and pages through clients, newest first.",
    permission: mayList,
    query: z.object({
      ...pageQuery,
      /** A part of the name in any case, or the whole id. */
      searchValue: plainText(255).optional(),
      state: z.enum(["enabled", "disabled"]).optional(),
      /** Only the clients with these ids. */
      ids: oneOrMore.optional(),
      /** Default: `createdAt`. */
      sortBy: z.enum(["createdAt", "lastUsedAt"]).optional(),
    }),
    reply: z.object({ clients: z.array(adminClient), ...pageTotals }),
    errors: [],
    repeatable: true,
  }),
  adminGetOauthClient: operation({
    ...ofAdmins,
    ...byId,
    name: "adminGetOauthClient",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/oauth2/clients/{id}",
    summary: "Shows a client without its secret.",
    permission: mayList,
    reply: adminClient,
    repeatable: true,
  }),
  adminEndFormerOauthSecret: operation({
    ...ofAdmins,
    ...byId,
    name: "adminEndFormerOauthSecret",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/oauth2/clients/{id}/end-former-secret",
    summary: "Ends the overlap of a rotation: the former secret works no longer.",
    permission: mayUpdate,
    reply: adminClient,
  }),
  adminListOauthConsents: operation({
    ...ofAdmins,
    name: "adminListOauthConsents",
    stepUp: stepUps.reads,
    method: "GET",
    path: "/admin/oauth2/consents",
    summary: "Lists the users of a client, or the clients of a user, newest first.",
    permission: mayList,
    query: z.object({ ...pageQuery, clientId: id.optional(), userId: id.optional() }),
    reply: z.object({ consents: z.array(consent), ...pageTotals }),
    errors: [],
    repeatable: true,
  }),
  adminWithdrawOauthConsents: operation({
    ...ofAdmins,
    ...byId,
    name: "adminWithdrawOauthConsents",
    stepUp: stepUps.takesAway,
    method: "POST",
    path: "/admin/oauth2/clients/{id}/withdraw",
    summary: "Withdraws the consent of one user, or of all, and ends what the client has of them.",
    permission: mayUpdate,
    body: z.object({
      /** Default: all users. */
      userId: id.optional(),
    }),
    /** The number of consents that ended. */
    reply: z.object({ count: z.number() }),
  }),
});

import {
  type Caller,
  type FactName,
  type OperationInput,
  type operations,
  oauthClientMetadata,
  WireError,
} from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  configuredScope,
  hasSecret as usesSecret,
  isPublic,
  providerMetadata,
  readMetadata,
  scopeNames,
} from "../engine/client-metadata.ts";
import { endAndRecord } from "../engine/commit.ts";

import { issuerOf } from "../sign-in/go-on.ts";
import {
  type ClientRow,
  deleteClientRow,
  findClientRow,
  insertClient,
  listClients,
  lockClient,
  replaceSecret,
  updateClientRow,
} from "./queries.ts";

type Given = OperationInput<(typeof operations.oauth)["createOauthClient"]>["body"];

const invalid = (path: string, message: string): WireError =>
  new WireError("VALIDATION_ERROR", { issues: [{ path, message }] });

const isLoopback = ({ hostname }: URL): boolean =>
  ["127.0.0.1", "[::1]", "localhost"].includes(hostname);

/** Returns whether a redirect URI leads to a program on the user's machine. */
export const isOnThisMachine = (uri: string): boolean => {
  const url = URL.parse(uri);
  return url !== null && url.protocol !== "https:" && (url.protocol !== "http:" || isLoopback(url));
};

/** Checks a redirect URI: absolute, without fragment and user, and not one that a browser would run. */
const checkRedirectUri = (text: string, member: string, isNative: boolean): void => {
  const refuse = (message: string) => {
    throw invalid(member, message);
  };
  const url = URL.parse(text);
  if (!url || /[\s\0]/.test(text)) return refuse("must be absolute URLs");
  if (url.hash !== "" || text.includes("#")) refuse("must have no fragment");
  if (url.username !== "" || url.password !== "") refuse("must name no user");
  if (url.protocol === "https:") return;
  if (url.protocol === "http:") {
    if (!isLoopback(url)) refuse("must be https, except on this machine");
    return;
  }
  // RFC 8252 section 7.1 asks for a reversed domain name.
  if (!isNative || !url.protocol.includes("."))
    refuse("must be https; a native client may use a scheme such as com.example.app");
};

/** Returns the metadata that the profile of a client fixes (FAPI 2.0 Security Profile section 5.3). Throws `VALIDATION_ERROR`. */
const requiredOf = ({ profile, require_pkce: requirePkce, ...given }: Given) => {
  if (profile === undefined) return {};
  if (requirePkce === false) throw invalid("require_pkce", "the profile needs PKCE");
  const { token_endpoint_auth_method: method = "private_key_jwt" } = given;
  if (method !== "private_key_jwt")
    throw invalid("token_endpoint_auth_method", "the profile needs private_key_jwt");
  return {
    profile,
    token_endpoint_auth_method: method,
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
  };
};

/** Returns the metadata of a client with the defaults of RFC 7591. */
const metadataOf = (given: Given) => {
  const metadata = { ...oauthClientMetadata.parse(given), ...requiredOf(given) };
  const { redirect_uris = [], application_type = "web" } = metadata;
  const isNative = application_type === "native";
  for (const uri of redirect_uris) checkRedirectUri(uri, "redirect_uris", isNative);
  for (const uri of metadata.post_logout_redirect_uris ?? [])
    checkRedirectUri(uri, "post_logout_redirect_uris", isNative);
  const grant_types = metadata.grant_types ?? ["authorization_code", "refresh_token"];
  const isForUsers = grant_types.includes("authorization_code");
  if (isForUsers && redirect_uris.length === 0) throw invalid("redirect_uris", "is required");
  const method = metadata.token_endpoint_auth_method ?? "client_secret_basic";
  if (method === "private_key_jwt" && !metadata.jwks)
    throw invalid("jwks", "is required for private_key_jwt");
  if (method === "none" && grant_types.includes("client_credentials"))
    throw invalid("grant_types", "a client without a secret has no client_credentials");
  return {
    ...metadata,
    redirect_uris,
    application_type,
    grant_types,
    response_types: isForUsers ? ["code"] : [],
    token_endpoint_auth_method: method,
  };
};

const checkScopes = ({ config }: Pick<Deps, "config">, { scope }: Given): string => {
  const { scopes } = config.oauthProvider;
  const named = scope === undefined ? scopes : scopeNames(scope);
  const unknown = named.find((name) => !scopes.includes(name));
  if (unknown !== undefined) throw invalid("scope", "must be configured scopes");
  return named.join(" ");
};

/** Throws `VALIDATION_ERROR` for a resource that is not configured. */
const checkResources = ({ config }: Pick<Deps, "config">, { resources = [] }: Given): string => {
  const isConfigured = (identifier: string) =>
    config.oauthProvider.resources.some((one) => one.identifier === identifier);
  if (!resources.every(isConfigured)) throw invalid("resources", "must be configured resources");
  return [...new Set(resources)].join(" ");
};

/** Returns the columns of a client. Throws `VALIDATION_ERROR`. */
export const columnsOf = (deps: Pick<Deps, "clock" | "config">, given: Given) => {
  const machineScopes = given.client_credentials_scopes ?? [];
  const metadata = { ...metadataOf(given), scope: checkScopes(deps, given) };
  if (isPublic(metadata) && given.require_pkce === false)
    throw invalid("require_pkce", "a client without a secret needs PKCE");
  const isOnDevice = metadata.redirect_uris.some((uri) => isLoopback(new URL(uri)));
  if (isPublic(metadata) && given.skip_consent && isOnDevice)
    throw invalid("skip_consent", "must be off for a client without a secret on this machine");
  if (machineScopes.some((name) => ["openid", "offline_access"].includes(name)))
    throw invalid("client_credentials_scopes", "must not be scopes of users");
  return {
    metadata: JSON.stringify(metadata),
    skipConsent: given.skip_consent ?? false,
    requirePkce: given.require_pkce ?? true,
    machineScopes: machineScopes.join(" "),
    resources: checkResources(deps, given),
    disabled: given.disabled ?? false,
    updatedAt: new Date(deps.clock()),
  };
};

export const show = ({ id, metadata, createdAt, ...row }: ClientRow) => ({
  ...readMetadata(metadata),
  client_id: id,
  skip_consent: row.skipConsent,
  require_pkce: row.requirePkce,
  client_credentials_scopes: scopeNames(row.machineScopes),
  resources: scopeNames(row.resources),
  disabled: row.disabled,
  client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
});

export const shownSecret = (secret: string) => ({
  client_secret: secret,
  client_secret_expires_at: 0 as const,
});

export const newSecret = (): string => `lk_cs_${randomToken(43, "urlSafe")}`;

/** The origin of a change. */
interface By {
  /** Absent on the command line. */
  userId?: string | undefined;
  caller?: Caller | undefined;
}

interface Change extends By {
  action: FactName;
  clientId: string;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

export const recordChange = (
  trx: Kysely<Tables>,
  deps: Pick<Deps, "clock">,
  change: Change,
): Promise<void> => {
  const { userId, caller, clientId, ...entry } = change;
  return appendAudit(trx, deps, {
    actor:
      userId === undefined ? { kind: "service", id: "npx latchkey" } : { kind: "user", id: userId },
    ...(caller && { caller }),
    subject: { kind: "oauth-client", id: clientId },
    ...entry,
  });
};

/** Throws `OAUTH_CLIENT_NOT_FOUND`. */
export const existing = <Row extends ClientRow>(row: Row | undefined): Row => {
  if (!row) throw new WireError("OAUTH_CLIENT_NOT_FOUND");
  return row;
};

/** Lets the provider check the metadata too, whose rules are those of the standards. Throws `VALIDATION_ERROR`. */
export const validate = async (
  deps: Deps,
  caller: Pick<Caller, "baseUrl">,
  row: ClientRow,
): Promise<void> => {
  const { provider } = await deps.findEngine(issuerOf(deps, caller));
  const metadata = providerMetadata(row, deps.config.oauthProvider.scopes);
  try {
    await provider.Client.validate(metadata as never);
  } catch (error) {
    const { error_description } = error as { error_description?: string };
    if (error_description === undefined) throw error;
    throw invalid("", error_description);
  }
};

/** On the command line there is no request that says at which address the provider is. The rules do not depend on it. */
const anyAddress = { baseUrl: "http://localhost" };

/** Creates a client, and a secret unless everybody could read it. Throws `VALIDATION_ERROR`. */
export const createClient = async (deps: Deps, given: Given, by: By) => {
  const now = new Date(deps.clock());
  const id = randomToken(32, "alphanumeric");
  const row = {
    id,
    ...columnsOf(deps, given),
    createdBy: by.userId ?? "",
    createdAt: now,
    lastUsedAt: null,
    origin: "admin" as const,
  };
  await validate(deps, by.caller ?? anyAddress, row);
  const hasSecret = usesSecret(readMetadata(row.metadata));
  const secret = newSecret();
  await deps.db.transaction().execute(async (trx) => {
    await insertClient(trx, row);
    if (hasSecret)
      await replaceSecret(trx, { clientId: id, hash: hashToken(secret), now, formerUntil: now });
    const after = show(row);
    await recordChange(trx, deps, { action: "oauth-client.created", clientId: id, after, ...by });
  });
  return { ...show(row), ...(hasSecret && shownSecret(secret)) };
};

export const createOauthClient: Handler<"createOauthClient"> = async (
  deps,
  { caller, session, body: given },
) => ({ reply: await createClient(deps, given, { caller, userId: session.user.id }) });

export const getOauthClient: Handler<"getOauthClient"> = async ({ db }, { query }) => ({
  reply: show(existing(await findClientRow(db, query.client_id))),
});

export const listOauthClients: Handler<"listOauthClients"> = async ({ db }) => ({
  reply: (await listClients(db)).map(show),
});

/** Changes a client. Disabled, it is refused everywhere at once. */
export const updateOauthClient: Handler<"updateOauthClient"> = async (
  deps,
  { caller, session, body: { client_id: clientId, update } },
) => {
  const changed = await deps.db.transaction().execute(async (trx) => {
    const row = existing(await lockClient(trx, clientId));
    const { client_id: _, client_id_issued_at: __, ...before } = show(row);
    const { response_types: ___, ...stored } = before;
    const scope = configuredScope(stored, deps.config.oauthProvider.scopes);
    const columns = columnsOf(deps, { ...stored, scope, ...update });
    // A client without a secret would lock itself out, and one with a secret would keep it for nothing.
    if (usesSecret(before) !== usesSecret(readMetadata(columns.metadata)))
      throw invalid("token_endpoint_auth_method", "cannot change to or from a secret");
    const after = { ...row, ...columns };
    await validate(deps, caller, after);
    await updateClientRow(trx, clientId, columns);
    const { id: userId } = session.user;
    const audit = { action: "oauth-client.updated", caller, userId, clientId, before } as const;
    await recordChange(trx, deps, { ...audit, after: show(after) });
    return after;
  });
  return { reply: show(changed) };
};

/** Throws `INVALID_REQUEST` for a client without a secret. */
export const rotateOauthClientSecret: Handler<"rotateOauthClientSecret"> = async (
  deps,
  { caller, session, body: { client_id: clientId, overlapSeconds = 0 } },
) => {
  const secret = newSecret();
  const row = await deps.db.transaction().execute(async (trx) => {
    const client = existing(await lockClient(trx, clientId));
    if (!usesSecret(show(client))) throw new WireError("INVALID_REQUEST");
    const now = new Date(deps.clock());
    const formerUntil = new Date(now.getTime() + overlapSeconds * 1_000);
    await replaceSecret(trx, { clientId, hash: hashToken(secret), now, formerUntil });
    const { id: userId } = session.user;
    const after = { overlapSeconds };
    await recordChange(trx, deps, {
      action: "oauth-client.secret-rotated",
      caller,
      userId,
      clientId,
      after,
    });
    return client;
  });
  return { reply: { ...show(row), ...shownSecret(secret) } };
};

/** Deletes a client. Its grants end in the same transaction. */
export const deleteOauthClient: Handler<"deleteOauthClient"> = async (
  deps,
  { caller, session, body: { client_id: clientId } },
) => {
  await deps.db.transaction().execute(async (trx) => {
    existing(await lockClient(trx, clientId));
    await endAndRecord(trx, deps, { filter: { clientId }, reason: "client-deleted" });
    await deleteClientRow(trx, clientId);
    const { id: userId } = session.user;
    await recordChange(trx, deps, { action: "oauth-client.deleted", caller, userId, clientId });
  });
  return { reply: { success: true } };
};

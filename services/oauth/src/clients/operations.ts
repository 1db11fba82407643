import { type Caller, type FactName, WireError } from "@latchkey/contracts";
import { hashToken, randomToken } from "@latchkey/crypto";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  hasSecret as usesSecret,
  configuredScope,
  providerMetadata,
  readMetadata,
  scopeNames,
} from "../engine/client-metadata.ts";
import { endAndRecord } from "../engine/commit.ts";
import { issuerOf } from "../sign-in/go-on.ts";
import { columnsOf, type Given, invalid } from "./client-columns.ts";
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

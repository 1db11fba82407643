import type { OperationInput, OperationReply, operations } from "@latchkey/contracts";
import type { AuditEntry } from "@latchkey/service-kit/audit";
import type { Settings } from "@latchkey/service-kit/config";
import { createClient as createClientWith } from "./clients/operations.ts";
import { listClients } from "./clients/queries.ts";
import { readMetadata, scopeNames } from "./engine/client-metadata.ts";
import { rotateSigningKeys as rotateSigningKeysWith } from "./signing-keys/signing-keys.ts";
import { oauth } from "./service.ts";

// Functions for the command line. They run beside the running service or without it.

type CreateClient = (typeof operations.oauth)["createOauthClient"];

/** Creates a client. Throws `VALIDATION_ERROR`. */
export const createClient = (
  settings: Settings,
  given: OperationInput<CreateClient>["body"],
): Promise<OperationReply<CreateClient>> =>
  oauth.withDeps(settings, (deps) => createClientWith(deps, given, {}));

/** Returns the number of clients, up to a thousand, and the names of those with scopes that are not configured. */
export const examineClients = (
  settings: Settings,
): Promise<{ count: number; withoutScopes: string[] }> =>
  oauth.withDeps(settings, async ({ config, db }) => {
    const clients = await listClients(db);
    const configured = new Set(config.oauthProvider.scopes);
    const withoutScopes = clients
      .map(({ id, metadata }) => ({ id, ...readMetadata(metadata) }))
      .filter(({ scope }) => scopeNames(scope).some((name) => !configured.has(name)))
      .map(({ id, client_name }) => client_name ?? id);
    return { count: clients.length, withoutScopes };
  });

/** Creates new signing keys. Returns when they begin to sign. */
export const rotateSigningKeys = (
  settings: Settings,
  by: Pick<AuditEntry, "actor">,
): Promise<Date> => oauth.withDeps(settings, (deps) => rotateSigningKeysWith(deps, by));

import {
  type LatchkeyConfig,
  type OperationReply,
  operations,
  type Permissions,
  type Wire,
} from "@latchkey/contracts";
import { until } from "@latchkey/testkit";
import { type BrowserLike, createBrowserLike } from "./browser-like.ts";
import { callInternal, callOperation, type Client, expectOk, serviceConfig } from "./operations.ts";
import { readResponse } from "./responses.ts";
import { hashTables, type Rows } from "./rows.ts";
import type { System } from "./start-system.ts";
import type { TestUser } from "./users.ts";

/** Configuration of systems with keys. Services may call. */
export const apiKeyConfig = (
  apiKey: LatchkeyConfig["apiKey"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig => ({ ...serviceConfig, ...own, apiKey });

export const apiKeyOperations = operations.apikey;

/** A key as its owner sees it. */
export type ApiKeyView = Wire<OperationReply<typeof apiKeyOperations.getApiKey>>;
/** A key with its text, as returned at its creation. */
export type CreatedKey = Wire<OperationReply<typeof apiKeyOperations.createApiKey>>;
export type RerolledKey = Wire<OperationReply<typeof apiKeyOperations.adminRerollApiKey>>;
export type AdminKey = Wire<OperationReply<typeof apiKeyOperations.adminDisableApiKey>>;
export type ListedKeys = Wire<OperationReply<typeof apiKeyOperations.adminListApiKeys>>;
export type Verification = Wire<OperationReply<typeof apiKeyOperations.verifyApiKey>>;
export type ApiKeyUsage = Wire<OperationReply<typeof apiKeyOperations.readApiKeyUsage>>;

/** Creates a key for oneself. */
export const createKey = (owner: Client, own: object = {}): Promise<CreatedKey> =>
  expectOk(callOperation<CreatedKey>(owner, apiKeyOperations.createApiKey, { body: own }));

/** Lets a service create a key for a user. */
export const createKeyFor = (
  system: System,
  { user }: Pick<TestUser, "user">,
  own: object = {},
): Promise<CreatedKey> => {
  const body = { userId: user.id, ...own };
  return expectOk(callInternal<CreatedKey>(system, apiKeyOperations.createApiKeyFor, { body }));
};

export const getKey = (owner: Client, id: string): Promise<ApiKeyView> =>
  expectOk(callOperation<ApiKeyView>(owner, apiKeyOperations.getApiKey, { query: { id } }));

export const listKeys = (owner: Client, query: object = {}): Promise<ApiKeyView[]> =>
  expectOk(
    callOperation<ApiKeyView[]>(owner, apiKeyOperations.listApiKeys, { query: { ...query } }),
  );

export const updateKey = (owner: Client, keyId: string, own: object): Promise<ApiKeyView> =>
  expectOk(
    callOperation<ApiKeyView>(owner, apiKeyOperations.updateApiKey, { body: { keyId, ...own } }),
  );

export const deleteKey = (owner: Client, keyId: string): Promise<{ success: true }> =>
  expectOk(
    callOperation<{ success: true }>(owner, apiKeyOperations.deleteApiKey, { body: { keyId } }),
  );

/** Uses a key once, as a service does. */
export const verify = (
  system: System,
  key: string,
  permissions?: Permissions,
): Promise<Verification> => {
  const body = { key, ...(permissions && { permissions }) };
  return expectOk(callInternal<Verification>(system, apiKeyOperations.verifyApiKey, { body }));
};

/** Returns the code of a verification, or null for a valid key. */
export const verificationCode = async (
  system: System,
  key: string,
  permissions?: Permissions,
): Promise<string | null> => (await verify(system, key, permissions)).error?.code ?? null;

/** Configuration in which keys act as sessions, without use limits. */
export const keySessionConfig = (
  apiKey: LatchkeyConfig["apiKey"] = {},
  own: LatchkeyConfig = {},
): LatchkeyConfig =>
  apiKeyConfig({ enableSessionForAPIKeys: true, rateLimit: { enabled: false }, ...apiKey }, own);

/** A client that sends a key, in addition to the cookies of a browser if one is given. */
export const clientWithKey = (
  system: Pick<System, "url">,
  key: string,
  browser: BrowserLike = createBrowserLike(system.url),
): Client => {
  const shown = { "x-api-key": key };
  return {
    browser: {
      cookies: browser.cookies,
      get: (path, headers) => browser.get(path, { ...shown, ...headers }),
      post: (path, body, headers) => browser.post(path, body, { ...shown, ...headers }),
    },
  };
};

interface SessionOfKey {
  session: Record<string, unknown>;
  user: { id: string; email: string } & Record<string, unknown>;
}

/** Returns the response to get-session. */
export const getSession = async ({ browser }: Client, headers: Record<string, string> = {}) =>
  readResponse<SessionOfKey | null>(await browser.get("/get-session", headers));

/** Returns the id of the authenticated user. */
export const userIdOf = async (
  client: Client,
  headers?: Record<string, string>,
): Promise<string | undefined> => (await getSession(client, headers)).body?.user.id;

/** Returns a hash of all keys and their audit log. It excludes owner states and usage counts, which are written later. */
export const hashApiKeyTables = (rows: Rows): Promise<unknown> =>
  hashTables(rows, ["apikey.api_key", "apikey.audit"]);

/** Sums the uses of all days by outcome. */
export const sumUsage = ({ days }: ApiKeyUsage): Partial<ApiKeyUsage["days"][number]> => {
  const sums: Record<string, number> = {};
  for (const { day: _, ...counts } of days)
    for (const [outcome, count] of Object.entries(counts))
      if (count > 0) sums[outcome] = (sums[outcome] ?? 0) + count;
  return sums;
};

/** Waits until the usage equals these counts. A kind that is not named must be zero. */
export const untilUsage = (read: () => Promise<ApiKeyUsage>, counts: object): Promise<boolean> => {
  const wanted = JSON.stringify(Object.entries(counts).toSorted());
  return until(
    async () => JSON.stringify(Object.entries(sumUsage(await read())).toSorted()) === wanted,
    { describe: `the counts ${wanted}` },
  );
};

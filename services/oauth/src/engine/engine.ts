import { seal, type SecretRing, unseal } from "@latchkey/crypto";
import type { Kysely } from "kysely";
import { errors, type InteractionResults, Provider } from "oidc-provider";
import type { Tables } from "../db/tables.ts";
import { scopeNames } from "./client-metadata.ts";
import { pollDeviceRequest } from "../device-requests/queries.ts";
import { commitWork, ConsentWithdrawn, forgetUses, TooManyDevices } from "./commit.ts";
import { configure, type EngineOptions, matchesSecret } from "./configuration.ts";
import { deviceGrantRow } from "./grants.ts";
import { readLogoutRequest } from "./logout-request.ts";
import {
  prepare,
  problem,
  type ProtocolAnswer,
  type ProtocolRequest,
  refine,
  send,
} from "./protocol-request.ts";
import {
  findAnswer,
  findArtifact,
  findClient,
  findConsentedScopes,
  findGrant,
  type GrantRow,
} from "./queries.ts";
import { storeJwts } from "./resources.ts";
import { newWork, presentWork, runWork, type SignedIn, type Work } from "./work.ts";

export interface Engine {
  /** Answers a protocol request. Rejects if a store or another service fails. */
  run(request: ProtocolRequest): Promise<ProtocolAnswer>;
  /** Continues an authorization request after the user has answered its interaction. */
  resume(
    interactionId: string,
    answer: { result: InteractionResults; session: SignedIn },
  ): Promise<ProtocolAnswer>;
  /** Returns the row of the grant with which a user allows a device what it asks for. */
  grantDevice(given: Parameters<typeof deviceGrantRow>[2]): Promise<GrantRow>;
  /** Reads the parameters of a request to sign out. */
  readLogout(params: URLSearchParams): ReturnType<typeof readLogoutRequest>;
  provider: Provider;
}

type EngineNeeds = Omit<
  EngineOptions,
  | "findArtifact"
  | "findClient"
  | "findConsentedScopes"
  | "findGrant"
  | "pollDevice"
  | "reuseMilliseconds"
> & { db: Kysely<Tables>; ring: SecretRing };

/** A retry this soon after a refresh gets the same answer. */
const reuseMilliseconds = {
  RefreshToken: 30_000,
  /** Concurrent uses of a code do not end what the first one got. */
  AuthorizationCode: 2_000,
};

const answerPurpose = "refresh answer";

/** Prefixes by which secret scanners find tokens that leaked. */
const prefixes = { AccessToken: "lk_at_", ClientCredentials: "lk_at_", RefreshToken: "lk_rt_" };

/** Binds refresh tokens to the key of the client's proof (RFC 9449 section 5), also those of clients that authenticate otherwise. */
const bindRefreshTokens = (provider: Provider): void => {
  const model = provider.RefreshToken.prototype;
  const { save } = model;
  model.save = function (...rest) {
    const jkt = this.jkt ?? Provider.ctx?.oidc.entities.AccessToken?.jkt;
    if (jkt !== undefined) this.jkt = jkt;
    return save.apply(this, rest);
  };
};

type Registration<Params extends object> = Parameters<
  typeof Provider.prototype.registerGrantType<Params>
>;

/** Lets clients have tokens of their own for the scopes that an admin has given to them. */
const forMachines =
  <Params extends object>(handler: Registration<Params>[1]): Registration<Params>[1] =>
  async (context) => {
    const { client, params } = context.oidc;
    const row = presentWork().clients.get(client.clientId);
    const allowed = scopeNames(row?.machineScopes);
    if (allowed.length === 0)
      throw new errors.UnauthorizedClient("no scope is given to this client");
    const { scope } = params as { scope?: unknown };
    const requested = typeof scope === "string" ? scopeNames(scope) : allowed;
    const foreign = requested.filter((name) => !allowed.includes(name));
    if (foreign.length > 0)
      throw new errors.InvalidScope("requested scope is not allowed", foreign.join(" "));
    Object.assign(params, { scope: requested.join(" ") });
    await handler(context);
  };

/** The provider registers its own grant types when it is constructed. */
class LatchkeyProvider extends Provider {
  override registerGrantType<Params extends object>(
    ...[name, handler, ...rest]: Registration<Params>
  ): void {
    const own = name === "client_credentials" ? forMachines(handler) : handler;
    super.registerGrantType(name, own, ...rest);
  }
}

const createProvider = (options: EngineOptions): Provider => {
  const provider = new LatchkeyProvider(options.issuer, configure(options));
  provider.proxy = true;
  for (const [name, prefix] of Object.entries(prefixes)) {
    const model = provider[name as keyof typeof prefixes].prototype as unknown as {
      generateTokenId: () => string;
      resourceServer?: { accessTokenFormat?: string };
    };
    const generate = model.generateTokenId;
    model.generateTokenId = function () {
      const isSigned = this.resourceServer?.accessTokenFormat === "jwt";
      return (isSigned ? "" : prefix) + generate.call(this);
    };
  }
  storeJwts(provider);
  bindRefreshTokens(provider);
  const client = provider.Client.prototype as unknown as {
    clientId: string;
    compareClientSecret: (secret: string) => boolean;
  };
  client.compareClientSecret = function (secret) {
    return matchesSecret(this.clientId, secret);
  };
  return provider;
};

/** The dependencies that settle a request. */
type Settling = Pick<EngineNeeds, "clock" | "db" | "ring">;

/** Returns the answer of a request that was not the first to use what it used. */
const answerLoser = async (
  { db, ring, clock }: Settling,
  { used, usedDeviceCode }: Work,
  answer: ProtocolAnswer,
): Promise<ProtocolAnswer> => {
  const kinds = new Set(used.map(({ key }) => key.kind));
  const refresh = used.find(({ key }) => key.kind === "RefreshToken")?.key;
  if (refresh) {
    const after = new Date(clock() - reuseMilliseconds.RefreshToken);
    const sealed = await findAnswer(db, refresh, after);
    const subject = refresh.hash.toString("hex");
    const body = sealed && unseal(ring, { purpose: answerPurpose, subject }, sealed);
    if (body) return { ...answer, body };
  }
  if (refresh || kinds.has("AuthorizationCode") || usedDeviceCode)
    return problem(400, "invalid_grant", "grant request is invalid");
  if (kinds.size === 0) return problem(400, "invalid_request", "the proof was used before");
  const [error, error_description] = kinds.has("PushedAuthorizationRequest")
    ? ["invalid_request_uri", "request_uri was already used"]
    : ["invalid_request", "the authorization request was already answered"];
  return { ...problem(400, error, error_description), page: { error, error_description } };
};

/** Commits a request and returns its answer. */
const settle = async (
  needs: Settling,
  work: Work,
  { request, received }: { request: ProtocolRequest; received: ProtocolAnswer },
): Promise<ProtocolAnswer> => {
  const { ring, clock } = needs;
  if (work.failure !== undefined) throw work.failure;
  const answer = refine(request, received, clock());
  if (answer.status >= 400) forgetUses(work);
  const refresh = work.used.find(({ key }) => key.kind === "RefreshToken")?.key;
  const subject = refresh?.hash.toString("hex") ?? "";
  const sealed = refresh ? seal(ring, { purpose: answerPurpose, subject }, answer.body) : null;
  try {
    if (!(await commitWork(needs, work, sealed))) return await answerLoser(needs, work, answer);
  } catch (error) {
    if (error instanceof TooManyDevices)
      return problem(429, "slow_down", "too many devices wait for their users");
    throw error;
  }
  if (!work.page) return answer;
  const page = work.isClientDisabled ? { error: "client_disabled" } : work.page;
  return { ...answer, page };
};

/** Creates the protocol engine. Any number of them may share a database. */
export const createEngine = (needs: EngineNeeds): Engine => {
  const { db, clock } = needs;
  const provider = createProvider({
    ...needs,
    reuseMilliseconds,
    findClient: (id) => findClient(db, id, new Date(clock())),
    findGrant: (id) => findGrant(db, id),
    findArtifact: (key) => findArtifact(db, key),
    findConsentedScopes: (of) => findConsentedScopes(db, of),
    pollDevice: async (hash, clientIds) => {
      const now = new Date(clock());
      const row = await pollDeviceRequest(db, { hash, clientIds, getsSession: false, now });
      if (row?.isTooSoon) throw new errors.SlowDown();
      return row;
    },
  });
  provider.on("server_error", (_context, error) => {
    presentWork().failure = error;
  });
  const answer = async (
    given: Parameters<typeof newWork>[0],
    request: ProtocolRequest,
    interactionId?: string,
  ): Promise<ProtocolAnswer> => {
    const work = newWork(given);
    try {
      return await runWork(work, async () => {
        const received = await send(provider, request, interactionId);
        return settle(needs, work, { request, received });
      });
    } catch (error) {
      if (!(error instanceof ConsentWithdrawn)) throw error;
      // Nothing was written. The user is asked now, so each repetition needs another withdrawal.
      return answer(given, request, interactionId);
    }
  };
  return {
    provider,
    run: async (sent) => {
      const request = prepare(sent);
      if ("status" in request) return request;
      const endReason = request.path === "/oauth2/revoke" ? "revoked" : "replayed";
      const usesBasic = request.headers?.["authorization"] !== undefined;
      const { session, device } = request;
      return answer({ endReason, session, device, usesBasic }, request);
    },
    resume: (interactionId, { result, session }) => {
      const path = `/oauth2/authorize/${encodeURIComponent(interactionId)}`;
      const request: ProtocolRequest = { method: "GET", path, session };
      return answer({ endReason: "replayed", session, result }, request, interactionId);
    },
    readLogout: (params) =>
      runWork(newWork({ endReason: "replayed" }), () => readLogoutRequest(provider, params)),
    grantDevice: (given) =>
      runWork(newWork({ endReason: "replayed" }), () => deviceGrantRow({ clock }, provider, given)),
  };
};

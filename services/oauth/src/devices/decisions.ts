import { type Caller, type FactName, operations, WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import type { Kysely } from "kysely";
import { addToConsent } from "../consents/queries.ts";
import type { Tables } from "../db/tables.ts";
import type { Deps, Handler } from "../deps.ts";
import {
  decideDeviceRequest,
  type DeviceRequestRow,
  findDeviceRequest,
  returnUserCodeTry,
  takeUserCodeTry,
} from "../device-requests/queries.ts";
import { readMetadata, scopeNames } from "../engine/client-metadata.ts";
import { startGrant } from "../engine/commit.ts";
import { findClient, type GrantRow } from "../engine/queries.ts";
import type { SignedIn } from "../engine/work.ts";
import { issuerOf } from "../sign-in/go-on.ts";
import { signedInAs } from "../sign-in/signed-in.ts";
import { deviceOf, guesserOf, userCodeMacs } from "./device-facts.ts";

interface Entered {
  caller: Caller;
  userCode: string;
  /** Undefined if the caller is signed out. */
  userId: string | undefined;
}

/**
 * Returns the request of a user's code. Each wrong code uses up a try. Throws `INVALID_USER_CODE`, `EXPIRED_USER_CODE` and
 * `TOO_MANY_REQUESTS`.
 */
const findByUserCode = async (
  { db, ring, clock, observeDevice }: Deps,
  { caller, userCode, userId }: Entered,
): Promise<DeviceRequestRow> => {
  const now = new Date(clock());
  const guesser = guesserOf(ring, caller, userId);
  // Taken before the look-up, so that concurrent guesses are no more than the tries.
  const nextAt = await takeUserCodeTry(db, guesser, now);
  if (nextAt) {
    observeDevice("refused");
    const retryAfterSeconds = Math.max(1, Math.ceil((nextAt.getTime() - now.getTime()) / 1_000));
    throw new WireError("TOO_MANY_REQUESTS", { retryAfterSeconds });
  }
  const row = await findDeviceRequest(db, userCodeMacs(ring, userCode));
  if (!row) {
    observeDevice("wrong-code");
    throw new WireError("INVALID_USER_CODE");
  }
  await returnUserCodeTry(db, guesser);
  if (row.expiresAt <= now) throw new WireError("EXPIRED_USER_CODE");
  return row;
};

/** Returns the name of the application on a device. Undefined if there is no such application any more. */
const findApplication = async (
  { db, config, clock }: Deps,
  { clientId, payload }: DeviceRequestRow,
): Promise<{ name: string } | undefined> => {
  if (payload === null) return config.deviceAuthorization.clients.find(({ id }) => id === clientId);
  const client = await findClient(db, clientId, new Date(clock()));
  if (!client || client.disabled) return undefined;
  return { name: readMetadata(client.metadata).client_name ?? clientId };
};

/**
 * Shows what a device asks for, and only that there is a request to somebody who is signed out. It changes nothing, because any page can
 * make a browser send it.
 */
export const getDevice: Handler<"getDevice"> = async (deps, { caller, query: { user_code } }) => {
  const user = caller.resolved?.user;
  const userId = user === undefined ? undefined : String(user["id"]);
  const row = await findByUserCode(deps, { caller, userCode: user_code, userId });
  const { state: status, clientId, scope, payload, createdAt } = row;
  if (userId === undefined) return { reply: { user_code, status } };
  const application = await findApplication(deps, row);
  if (!application) throw new WireError("INVALID_USER_CODE");
  const { address, userAgent, name } = deviceOf(deps, row);
  return {
    reply: {
      user_code,
      status,
      client_id: clientId,
      client_name: application.name,
      gets_session: payload === null,
      scope,
      ...(name !== undefined && { device_name: name }),
      requested_at: createdAt,
      address,
      user_agent: userAgent,
    },
  };
};

/** Returns a request on which nobody has decided. Throws as `findByUserCode`, and `DEVICE_CODE_ALREADY_PROCESSED`. */
const findPending = async (
  deps: Deps,
  { caller, userCode }: Omit<Entered, "userId">,
): Promise<{ row: DeviceRequestRow; session: SignedIn }> => {
  const session = signedInAs(caller);
  const row = await findByUserCode(deps, { caller, userCode, userId: session.userId });
  if (row.state !== "pending") throw new WireError("DEVICE_CODE_ALREADY_PROCESSED");
  return { row, session };
};

interface Decision {
  caller: Caller;
  userId: string;
  action: Extract<FactName, `device-request.${string}`>;
  row: DeviceRequestRow;
}

const record = (
  trx: Kysely<Tables>,
  deps: Pick<Deps, "clock">,
  { caller, userId, action, row }: Decision,
): Promise<void> =>
  appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action,
    caller,
    after: { clientId: row.clientId, scopes: scopeNames(row.scope) },
  });

/** Returns the access epoch of a user whose session lives. Throws `UNAUTHORIZED`. */
const findEpoch = async (
  { identity }: Pick<Deps, "identity">,
  { userId, sessionId }: SignedIn,
): Promise<number> => {
  const { findGrantSubject } = operations.identity;
  const subject = await identity.call(findGrantSubject, { body: { userId, sessionId } });
  if (!subject?.hasSession) throw new WireError("UNAUTHORIZED");
  return subject.accessEpoch;
};

/** Returns the grant of an OAuth client. Undefined for an application that gets a session. */
const grantOf = async (
  deps: Deps,
  caller: Caller,
  { row, session, accessEpoch }: { row: DeviceRequestRow; session: SignedIn; accessEpoch: number },
): Promise<GrantRow | undefined> => {
  const { payload, clientId, scope } = row;
  if (payload === null) return undefined;
  const engine = await deps.findEngine(issuerOf(deps, caller));
  const granted = scopeNames(scope);
  return engine.grantDevice({ clientId, granted, signedIn: session, accessEpoch });
};

/**
 * Allows a device what it asks for. The first decision counts, by one statement. An OAuth client gets a grant and a consent, with which its
 * tokens end.
 */
export const approveDevice: Handler<"approveDevice"> = async (deps, { caller, body }) => {
  const { row, session } = await findPending(deps, { caller, userCode: body.userCode });
  if (!(await findApplication(deps, row))) throw new WireError("INVALID_USER_CODE");
  const accessEpoch = await findEpoch(deps, session);
  const grant = await grantOf(deps, caller, { row, session, accessEpoch });
  const { userId, amr, acr } = session;
  const authentication = JSON.stringify({ ...caller.resolved?.authentication, amr, acr });
  const now = new Date(deps.clock());
  await deps.db.transaction().execute(async (trx) => {
    if (grant) await startGrant(trx, deps, grant);
    const decision = { state: "approved", userId, accessEpoch, authentication, now } as const;
    const isFirst = await decideDeviceRequest(trx, row.hash, {
      ...decision,
      grantId: grant?.id ?? null,
    });
    if (!isFirst) throw new WireError("DEVICE_CODE_ALREADY_PROCESSED");
    if (grant) {
      const { clientId } = row;
      const scopes = scopeNames(row.scope);
      await addToConsent(trx, { id: deps.newId(), clientId, userId, scopes, now });
    }
    await record(trx, deps, { caller, userId, action: "device-request.approved", row });
  });
  deps.observeDevice("approved");
  return { reply: { success: true } };
};

/** Refuses a device what it asks for. */
export const denyDevice: Handler<"denyDevice"> = async (deps, { caller, body }) => {
  const { row, session } = await findPending(deps, { caller, userCode: body.userCode });
  const { userId } = session;
  await deps.db.transaction().execute(async (trx) => {
    const isFirst = await decideDeviceRequest(trx, row.hash, {
      state: "denied",
      userId,
      accessEpoch: null,
      authentication: null,
      grantId: null,
      now: new Date(deps.clock()),
    });
    if (!isFirst) throw new WireError("DEVICE_CODE_ALREADY_PROCESSED");
    await record(trx, deps, { caller, userId, action: "device-request.denied", row });
  });
  deps.observeDevice("denied");
  return { reply: { success: true } };
};

import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { randomToken } from "@latchkey/crypto";
import { type Answer, appendAudit, appendEvent, type Call } from "@latchkey/service-kit";
import type { Transaction } from "kysely";
import type { Tables } from "../db/tables.ts";
import type { Deps } from "../deps.ts";
import { hasEndedSessionsOf, lockUser } from "../users/queries.ts";
import { consumeChallenge } from "./challenge.ts";
import { countPasskeys, insertPasskey, type PasskeyRow } from "./queries.ts";
import { requireRelyingParty } from "./relying-party.ts";
import { isCrossOrigin, readClientData, registrationResponse } from "./response.ts";
import { showPasskey } from "./show-passkey.ts";
import { expectationOf, type NewPasskey, verifyCreation } from "./verify-response.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

type VerifyRegistration = typeof operations.identity.verifyRegistration;
type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

const idLength = 32;

/** Uses up the response's challenge and returns the created passkey. */
const verify = async (
  deps: Needs,
  { body, caller, session: { user } }: Call<VerifyRegistration>,
): Promise<NewPasskey> => {
  const relyingParty = requireRelyingParty(deps);
  const refusal = new WireError("FAILED_TO_VERIFY_REGISTRATION");
  if (caller.kept?.passkeyChallenge === undefined) throw new WireError("CHALLENGE_NOT_FOUND");
  const client = readClientData(body.response);
  if (!client) throw refusal;
  const { challenge } = client;
  const { userId } = await consumeChallenge(deps, { caller, ceremony: "registration", challenge });
  if (userId !== user.id) throw new WireError("YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY");
  const { data: response } = registrationResponse.safeParse(body.response);
  if (!response || isCrossOrigin(client)) throw refusal;
  const expectation = expectationOf(deps.config.passkey, relyingParty, challenge);
  const created = await verifyCreation(response, expectation);
  if (!created) throw refusal;
  return created;
};

/**
 * Stores a passkey of a locked user, whose number of passkeys cannot change meanwhile. The session may have ended since it was read: a
 * claim of the user must not leave a passkey of the former registrant behind.
 */
const store = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { call, created }: { call: Call<VerifyRegistration>; created: NewPasskey },
): Promise<PasskeyRow> => {
  const { id: userId } = call.session.user;
  const locked = await lockUser(trx, userId);
  if (!locked || hasEndedSessionsOf(locked, call.session.session.createdAt))
    throw new WireError("UNAUTHORIZED");
  if ((await countPasskeys(trx, userId)) >= deps.config.passkey.maxPerUser)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS");
  const stored = await insertPasskey(trx, {
    ...created,
    id: randomToken(idLength, "alphanumeric"),
    userId,
    name: call.body.name || null,
    createdAt: new Date(deps.clock()),
    lastUsedAt: null,
  });
  if (!stored) throw new WireError("PREVIOUSLY_REGISTERED");
  return stored;
};

const publish = async (
  deps: Needs,
  trx: Transaction<Tables>,
  { call, stored }: { call: Call<VerifyRegistration>; stored: PasskeyRow },
): Promise<void> => {
  const { caller } = call;
  const { id: userId, email, name } = call.session.user;
  const { id, deviceType, backedUp, aaguid } = stored;
  await appendAudit(trx, deps, {
    actor: { kind: "user", id: userId },
    subject: { kind: "user", id: userId },
    action: "passkey.added",
    caller,
    after: { id, name: stored.name, deviceType, backedUp, aaguid },
  });
  const { address, userAgent } = caller;
  const passkeyName = stored.name ?? "";
  await appendEvent(trx, deps, {
    name: "passkey.added",
    data: {
      userId,
      email,
      name,
      passkeyName,
      address,
      userAgent,
      ...(await mailLocaleOf(trx, { userId, caller })),
    },
  });
};

/** Stores the passkey that an authenticator has created, and notifies the user. Starts no session: the caller has one. */
export const verifyRegistration = async (
  deps: Needs,
  call: Call<VerifyRegistration>,
): Promise<Answer<OperationReply<VerifyRegistration>>> => {
  const created = await verify(deps, call);
  const stored = await deps.db.transaction().execute(async (trx) => {
    const row = await store(deps, trx, { call, created });
    await publish(deps, trx, { call, stored: row });
    return row;
  });
  deps.wakeRelay();
  const { session, user } = call.session;
  const passkey = showPasskey(stored);
  return { reply: call.body.createSession ? { ...passkey, session, user } : passkey };
};

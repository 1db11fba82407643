import { randomBytes } from "node:crypto";
import { WireError } from "@latchkey/contracts";
import { appendAudit } from "@latchkey/service-kit/audit";
import { appendEvent } from "@latchkey/service-kit/events";
import { randomToken } from "@latchkey/crypto";
import type { Transaction } from "kysely";
import type { Deps, Handler, CallOf } from "../deps.ts";
import { challengeSeconds, createChallenge, keepingEffect, consumeChallenge } from "./challenge.ts";
import {
  findOrInsertHandle,
  listPasskeyRows,
  countPasskeys,
  insertPasskey,
  type PasskeyRow,
} from "../rows/passkeys.ts";
import {
  algorithms,
  requireRelyingParty,
  isCrossOrigin,
  readClientData,
  registrationResponse,
  expectationOf,
  type NewPasskey,
  verifyCreation,
} from "./verify-response.ts";
import { describeCredential, showPasskey } from "./own-passkeys.ts";
import type { Tables } from "../db/tables.ts";
import { hasEndedSessionsOf, lockUser } from "../users/queries.ts";
import { mailLocaleOf } from "../users/email.ts";

const handleBytes = 32;

/** Starts the registration of a passkey. The user's handle is created at the first one and never changes. */
export const generateRegisterOptions: Handler<"generateRegisterOptions"> = async (
  deps,
  { caller, query, session: { user, effect } },
) => {
  const { id, name } = requireRelyingParty(deps);
  const { passkey: config } = deps.config;
  const passkeys = await listPasskeyRows(deps.db, user.id);
  if (passkeys.length >= config.maxPerUser)
    throw new WireError("YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_PASSKEYS");
  const handle = await findOrInsertHandle(deps.db, user.id, randomBytes(handleBytes));
  const start = { caller, ceremony: "registration", userId: user.id } as const;
  const { challenge, keeps } = await createChallenge(deps, start);
  const { residentKey, userVerification, ...selection } = config.authenticatorSelection;
  const authenticatorAttachment =
    query.authenticatorAttachment ?? selection.authenticatorAttachment;
  return {
    reply: {
      challenge,
      rp: { name, id },
      user: {
        id: handle.toString("base64url"),
        name: user.email,
        displayName: user.name || user.email,
      },
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type: "public-key" })),
      timeout: challengeSeconds * 1000,
      attestation: "none",
      excludeCredentials: passkeys.map(describeCredential),
      authenticatorSelection: {
        residentKey,
        userVerification,
        requireResidentKey: residentKey === "required",
        ...(authenticatorAttachment === undefined ? {} : { authenticatorAttachment }),
      },
      extensions: { credProps: true, ...config.registration.extensions },
      hints: [],
    },
    effect: keepingEffect(keeps, effect),
  };
};

type Needs = Pick<Deps, "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay">;

const idLength = 32;

/** Uses up the response's challenge and returns the created passkey. */
const verify = async (
  deps: Needs,
  { body, caller, session: { user } }: CallOf<"verifyRegistration">,
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
  { call, created }: { call: CallOf<"verifyRegistration">; created: NewPasskey },
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
  { call, stored }: { call: CallOf<"verifyRegistration">; stored: PasskeyRow },
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
export const verifyRegistration: Handler<"verifyRegistration"> = async (deps, call) => {
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

import { type Caller, WireError } from "@latchkey/contracts";
import { appendAudit, appendEvent } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { nameAttemptedUser } from "../sign-in/attempted-user.ts";
import { findUser } from "../users/find-user.ts";
import type { UserRow } from "../users/user-row.ts";
import { consumeChallenge } from "./challenge.ts";
import { findPasskey, type PasskeyRow, updatePasskeyUse } from "./queries.ts";
import { requireRelyingParty } from "./relying-party.ts";
import {
  type AuthenticationResponse,
  authenticationResponse,
  isCrossOrigin,
  readClientData,
} from "./response.ts";
import { type Assertion, expectationOf, verifyAssertion } from "./verify-response.ts";
import { mailLocaleOf } from "../users/mail-locale.ts";

export type UsePasskeyNeeds = Pick<
  Deps,
  "clock" | "config" | "db" | "newEventId" | "ring" | "wakeRelay"
>;

/** A user who has proven possession of a passkey. */
export interface UsedPasskey {
  user: UserRow;
  passkeyId: string;
  /** The authenticator has verified the user, so the passkey is two factors. */
  userVerified: boolean;
}

type FoundPasskey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

const failed = () => new WireError("AUTHENTICATION_FAILED");

/** A handle that the authenticator names must be the owner's. An imported passkey has the handle of its former installation. */
const isOwnHandle = (
  { hasUserHandle, handle }: FoundPasskey,
  { userHandle }: AuthenticationResponse["response"],
): boolean =>
  !userHandle ||
  !hasUserHandle ||
  handle?.equals(new Uint8Array(Buffer.from(userHandle, "base64url"))) === true;

interface Refusal {
  user: UserRow;
  passkey: PasskeyRow;
  assertion: Assertion;
  caller: Caller;
}

/** Records a valid signature that a copy of the passkey may have made, and notifies the user. The passkey stays. */
const recordRefusal = async (
  deps: UsePasskeyNeeds,
  { user, passkey, assertion, caller }: Refusal,
): Promise<void> => {
  const { id, counter, deviceType } = passkey;
  await deps.db.transaction().execute(async (trx) => {
    await appendAudit(trx, deps, {
      actor: { kind: "anonymous" },
      subject: { kind: "user", id: user.id },
      action: "passkey.refused",
      outcome: "refused",
      caller,
      before: { id, counter, deviceType },
      after: { counter: assertion.counter, deviceType: assertion.deviceType },
    });
    const { id: userId, email, name } = user;
    const passkeyName = passkey.name ?? "";
    await appendEvent(trx, deps, {
      name: "passkey.refused",
      data: { userId, email, name, passkeyName, ...(await mailLocaleOf(trx, { userId, caller })) },
    });
  });
  deps.wakeRelay();
};

/**
 * Verifies the response of an authenticator and records the use of its passkey. The challenge is used up first, whatever follows. Throws
 * `CHALLENGE_NOT_FOUND`, `PASSKEY_NOT_FOUND` and `AUTHENTICATION_FAILED`.
 */
export const usePasskey = async (
  deps: UsePasskeyNeeds,
  { response: sent, caller }: { response: Record<string, unknown>; caller: Caller },
): Promise<UsedPasskey> => {
  const relyingParty = requireRelyingParty(deps);
  if (caller.kept?.passkeyChallenge === undefined) throw new WireError("CHALLENGE_NOT_FOUND");
  const client = readClientData(sent);
  if (!client) throw failed();
  const { challenge } = client;
  await consumeChallenge(deps, { caller, ceremony: "authentication", challenge });
  const { data: response } = authenticationResponse.safeParse(sent);
  if (!response) throw failed();
  const passkey = await findPasskey(deps.db, Buffer.from(response.id, "base64url"));
  if (!passkey) throw new WireError("PASSKEY_NOT_FOUND", { status: 401 });
  nameAttemptedUser(caller, passkey.userId);
  const expectation = expectationOf(deps.config.passkey, relyingParty, challenge);
  const assertion = await verifyAssertion(response, passkey, expectation);
  if (!assertion || isCrossOrigin(client) || !isOwnHandle(passkey, response.response))
    throw failed();
  const user = await findUser(deps, { id: passkey.userId });
  if (!user) throw failed(); // deleted meanwhile
  const { counter, backedUp, deviceType, userVerified } = assertion;
  const use = { id: passkey.id, counter, backedUp, deviceType, usedAt: new Date(deps.clock()) };
  if (!(await updatePasskeyUse(deps.db, use))) {
    await recordRefusal(deps, { user, passkey, assertion, caller });
    throw failed();
  }
  return { user, passkeyId: passkey.id, userVerified };
};

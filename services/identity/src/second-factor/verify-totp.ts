import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { findVerifier, type FindVerifierNeeds, type Verifier } from "./find-verifier.ts";
import { challengeTries, guess, type GuessNeeds } from "./guess.ts";
import { passSecondFactor } from "./pass-second-factor.ts";
import {
  confirmApp,
  type ConfirmedApp,
  confirmedAppOf,
  findUnusedStep,
  type PreparedApp,
  preparedAppOf,
} from "./prepared-app.ts";
import { findTwoFactor, takeStep, type TwoFactorRow } from "./queries.ts";
import { turnOnByCode, type TurnOnNeeds } from "./turn-on.ts";

const declared = operations.identity.verifyTotp;
type VerifyTotp = typeof declared;
export type VerifyTotpNeeds = FindVerifierNeeds & GuessNeeds & TurnOnNeeds;

/** The apps whose codes count: a waiting sign-in takes the confirmed one, an enrolment the prepared one, and a session both. */
interface Apps {
  confirmed: ConfirmedApp | undefined;
  prepared: PreparedApp | undefined;
}

const appsOf = (deps: VerifyTotpNeeds, verifier: Verifier, row: TwoFactorRow | undefined): Apps => {
  const purpose = verifier.kind === "challenge" ? verifier.challenge.purpose : undefined;
  return {
    confirmed: purpose === "enrol" ? undefined : confirmedAppOf(deps, row),
    prepared: purpose === "verify" ? undefined : preparedAppOf(deps, row),
  };
};

/** Verifies a code of the confirmed app, or the first code of a prepared one, which turns it on. */
export const verifyTotp = async (
  deps: VerifyTotpNeeds,
  { body, caller }: Call<VerifyTotp>,
): Promise<Answer<Required<OperationReply<VerifyTotp>>>> => {
  if (deps.config.twoFactor.totpOptions.disable) throw new WireError("TOTP_NOT_CONFIGURED");
  const verifier = await findVerifier(deps, declared, { caller, body });
  const { id: userId } = verifier.user;
  const { confirmed, prepared } = appsOf(deps, verifier, await findTwoFactor(deps.db, userId));
  if (!confirmed && !prepared) throw new WireError("TOTP_NOT_ENABLED");
  const { code, trustDevice: trustsDevice } = body;
  const guessed = {
    user: verifier.user,
    caller,
    method: "totp",
    wrong: "INVALID_CODE",
    ...challengeTries(deps, verifier),
  } as const;
  const { reply, effect } = await guess(deps, guessed, async () => {
    const { secretSealed = "", lastStep = -1 } = confirmed ?? {};
    const step = confirmed && findUnusedStep(deps, confirmed.secret, { code, lastStep });
    if (step !== undefined)
      return passSecondFactor(deps, verifier, {
        caller,
        method: "totp",
        trustsDevice,
        use: (trx) => takeStep(trx, { userId, step, secretSealed }),
      });
    const first = prepared && findUnusedStep(deps, prepared.secret, { code, lastStep: -1 });
    if (!prepared || first === undefined) return undefined;
    return turnOnByCode(deps, verifier, {
      caller,
      method: "totp",
      trustsDevice,
      use: (trx) => confirmApp(deps, trx, { userId, app: prepared, step: first }),
    });
  });
  return { reply: reply as Required<typeof reply>, effect }; // only backup codes may start no session
};

import { type OperationReply, operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import { openAppSecret } from "./app-secret.ts";
import { findVerifier, type FindVerifierNeeds, type Verifier } from "./find-verifier.ts";
import { challengeTries, guess, type GuessNeeds } from "./guess.ts";
import { type Passed, passSecondFactor } from "./pass-second-factor.ts";
import { confirmApp, findUnusedStep, type PreparedApp, preparedAppOf } from "./prepared-app.ts";
import { findTwoFactor, takeStep, type TwoFactorRow } from "./queries.ts";
import { turnOnInSession, turnOnInSignIn, type TurnOnNeeds } from "./turn-on.ts";

const declared = operations.identity.verifyTotp;
type VerifyTotp = typeof declared;
export type VerifyTotpNeeds = FindVerifierNeeds & GuessNeeds & TurnOnNeeds;

interface ConfirmedApp {
  secret: Buffer;
  secretSealed: string;
  lastStep: number;
}

/** The apps whose codes count: a waiting sign-in takes the confirmed one, an enrolment the prepared one, and a session both. */
interface Apps {
  confirmed: ConfirmedApp | undefined;
  prepared: PreparedApp | undefined;
}

export const confirmedAppOf = (
  { ring }: Pick<VerifyTotpNeeds, "ring">,
  row: TwoFactorRow | undefined,
): ConfirmedApp | undefined => {
  if (!row?.secretSealed) return undefined;
  const { userId, secretSealed, lastStep } = row;
  const secret = openAppSecret(ring, userId, secretSealed);
  return secret && { secret, secretSealed, lastStep };
};

const appsOf = (deps: VerifyTotpNeeds, verifier: Verifier, row: TwoFactorRow | undefined): Apps => {
  const purpose = verifier.kind === "challenge" ? verifier.challenge.purpose : undefined;
  return {
    confirmed: purpose === "enrol" ? undefined : confirmedAppOf(deps, row),
    prepared: purpose === "verify" ? undefined : preparedAppOf(deps, row),
  };
};

const turnOn = (
  deps: VerifyTotpNeeds,
  verifier: Verifier,
  {
    caller,
    trustsDevice,
    app,
    step,
  }: {
    caller: Call<VerifyTotp>["caller"];
    trustsDevice: boolean | undefined;
    app: PreparedApp;
    step: number;
  },
): Promise<Passed | undefined> => {
  const use = (trx: Parameters<typeof confirmApp>[1]) =>
    confirmApp(deps, trx, { userId: verifier.user.id, app, step });
  if (verifier.kind === "challenge")
    return turnOnInSignIn(deps, verifier, { caller, method: "totp", use, trustsDevice });
  const now = new Date(deps.clock());
  const proof = { methods: ["totp"], secondFactorAt: now, authenticatedAt: now } as const;
  return turnOnInSession(deps, verifier, { caller, use, proof });
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
    return turnOn(deps, verifier, { caller, trustsDevice, app: prepared, step: first });
  });
  return { reply: reply as Required<typeof reply>, effect }; // only backup codes may start no session
};

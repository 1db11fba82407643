import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import { type Answer, appendAudit, type Call, serviceActor } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { addressSubject } from "../email-verification/address-subject.ts";
import { readEmail } from "../users/read-email.ts";
import { proposeCode, type ProposeCodeNeeds } from "./mailed-code.ts";

type CreateVerificationOtp = typeof operations.identity.createVerificationOtp;

/** Creates a code that the calling service sends itself. It works in every browser. */
export const createVerificationOtp = async (
  deps: ProposeCodeNeeds & Pick<Deps, "db">,
  { body, caller }: Call<CreateVerificationOtp>,
): Promise<Answer<OperationReply<CreateVerificationOtp>>> => {
  const email = readEmail(body.email);
  const { type: purpose } = body;
  if (purpose === "change-email") throw new WireError("INVALID_OTP_TYPE");
  const subject = { purpose, name: email };
  const { code, keep } = proposeCode(deps, { email, subject, browser: undefined });
  await deps.db.transaction().execute(async (trx) => {
    await keep(trx);
    await appendAudit(trx, deps, {
      actor: serviceActor(caller),
      subject: addressSubject(deps.ring, email),
      action: "email-code.created",
      caller,
      after: { purpose },
    });
  });
  return { reply: { otp: code } };
};

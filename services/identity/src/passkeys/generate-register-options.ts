import { randomBytes } from "node:crypto";
import { type OperationReply, type operations, WireError } from "@latchkey/contracts";
import type { Answer, Call } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import { challengeSeconds, createChallenge, keepingEffect } from "./challenge.ts";
import { findOrInsertHandle, listPasskeyRows } from "./queries.ts";
import { algorithms, requireRelyingParty } from "./relying-party.ts";
import { describeCredential } from "./show-passkey.ts";

type GenerateRegisterOptions = typeof operations.identity.generateRegisterOptions;

const handleBytes = 32;

/** Starts the registration of a passkey. The user's handle is created at the first one and never changes. */
export const generateRegisterOptions = async (
  deps: Pick<Deps, "clock" | "config" | "db">,
  { caller, query, session: { user, effect } }: Call<GenerateRegisterOptions>,
): Promise<Answer<OperationReply<GenerateRegisterOptions>>> => {
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

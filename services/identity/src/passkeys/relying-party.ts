import { WireError } from "@latchkey/contracts";
import type { RelyingParty } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

/** The algorithms of passkeys as COSE numbers, in order of preference: ES256, EdDSA and RS256. */
export const algorithms = [-7, -8, -257];

/** Returns the relying party. Throws `NOT_FOUND` while passkeys are off, as the gateway does. */
export const requireRelyingParty = ({ config }: Pick<Deps, "config">): RelyingParty => {
  const { relyingParty } = config.passkey;
  if (!relyingParty) throw new WireError("NOT_FOUND");
  return relyingParty;
};

/** Logs once at start why passkeys are off, unless the options turn them off. */
export const reportPasskeysOff = ({ config, logger }: Pick<Deps, "config" | "logger">): void => {
  const { offBecause } = config.passkey;
  if (offBecause !== undefined) logger.warn({ reason: offBecause }, "passkeys are off");
};

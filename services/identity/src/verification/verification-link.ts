import type { Caller } from "@latchkey/contracts";
import { signVerificationToken } from "@latchkey/crypto";
import type { Deps } from "../deps.ts";

export interface VerificationLink {
  /** Whose address the link proves. */
  email: string;
  /** The address that takes its place. */
  updateTo?: string;
  callbackURL: string | undefined;
  caller: Caller;
}

/** The URL that a mail proves an address with. Its token is signed, not stored. */
export const verificationLink = async (
  { clock, config, ring }: Pick<Deps, "clock" | "config" | "ring">,
  { email, updateTo, callbackURL, caller }: VerificationLink,
): Promise<string> => {
  const token = await signVerificationToken(
    ring,
    updateTo === undefined ? { email } : { email, updateTo },
    { now: new Date(clock()), expiresInSeconds: config.emailVerification.expiresIn },
  );
  const query = new URLSearchParams({ token, callbackURL: callbackURL || "/" });
  return `${caller.baseUrl}/verify-email?${query.toString()}`;
};

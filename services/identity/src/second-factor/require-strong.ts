import { requireStrongSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";
import type { Verifier } from "./find-verifier.ts";

/** Throws `SESSION_IS_NOT_FRESH` if the user of a session has not authenticated lately. A waiting sign-in has just begun. */
export const requireStrongVerifier = (
  { clock, config }: Pick<Deps, "clock" | "config">,
  verifier: Verifier,
): void => {
  if (verifier.kind === "challenge") return;
  const freshness = { now: clock(), freshAgeSeconds: config.session.freshAge };
  requireStrongSession({ stepUp: "always" }, verifier.session, freshness);
};

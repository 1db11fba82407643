import type { Deps } from "../deps.ts";
import { requireStrong } from "../sessions/strong-session.ts";
import type { Verifier } from "./find-verifier.ts";

/** Throws `SESSION_IS_NOT_FRESH` if the user of a session has not authenticated lately. A waiting sign-in has just begun. */
export const requireStrongVerifier = (
  deps: Pick<Deps, "clock" | "config">,
  verifier: Verifier,
): void => {
  if (verifier.kind === "session") requireStrong(deps, verifier.session);
};

import { missingProof, requireStrongSession, type ResolvedSession } from "@latchkey/service-kit";
import type { Deps } from "../deps.ts";

type Needs = Pick<Deps, "clock" | "config">;

const freshnessOf = ({ clock, config }: Needs) => ({
  now: clock(),
  freshAgeSeconds: config.session.freshAge,
});

/** Returns whether the user of a session has authenticated lately, with the second factor if that is on. */
export const isStrongSession = (deps: Needs, session: ResolvedSession): boolean =>
  missingProof(session, freshnessOf(deps)) === undefined;

/** Throws `SESSION_IS_NOT_FRESH`, with the missing proof, for a session that is not strong. */
export const requireStrong = (deps: Needs, session: ResolvedSession): void =>
  requireStrongSession({ stepUp: "always" }, session, freshnessOf(deps));

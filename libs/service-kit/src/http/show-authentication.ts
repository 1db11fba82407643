import type { Authentication, AuthenticationMethod } from "@latchkey/contracts";
import type { SessionAuthentication } from "./require-session.ts";

/** Returns the names of the methods of a session. */
export const methodsOf = (
  authentication: Pick<SessionAuthentication, "methods"> | undefined,
): AuthenticationMethod[] =>
  (authentication?.methods.split(",") ?? []).filter(
    (name): name is AuthenticationMethod => name !== "",
  );

/** Returns the form that other services and functions of the application get. */
export const showAuthentication = ({
  authenticatedAt,
  secondFactorAt,
  methods,
}: SessionAuthentication): Authentication => ({
  authenticatedAt: authenticatedAt.toISOString(),
  secondFactorAt: secondFactorAt?.toISOString() ?? null,
  methods: methodsOf({ methods }),
});

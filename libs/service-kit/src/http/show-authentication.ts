import { type Authentication, type AuthenticationMethod, secondSteps } from "@latchkey/contracts";
import type { SessionAuthentication } from "./require-session.ts";

/** Returns the names of the methods of a session. */
export const methodsOf = (
  authentication: Pick<SessionAuthentication, "methods"> | undefined,
): AuthenticationMethod[] =>
  (authentication?.methods.split(",") ?? []).filter(
    (name): name is AuthenticationMethod => name !== "",
  );

/**
 * Returns whether the second factor of a session was a verified passkey, which stays one whether a second factor is turned on or not. If
 * codes were shown as well, they count: the passkey may have been one that did not verify its user.
 */
export const isFactorPasskey = (
  authentication: Pick<SessionAuthentication, "methods"> | undefined,
): boolean => {
  const methods = methodsOf(authentication);
  return methods.includes("passkey") && !secondSteps.some((step) => methods.includes(step));
};

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

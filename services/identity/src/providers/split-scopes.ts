import type { Answer } from "./provider.ts";

/** An answer of a token endpoint that has commas between scopes, whatever it is asked with. */
export const splitScopes = ({ scope, ...answer }: Answer): Answer => ({
  ...answer,
  scope: typeof scope === "string" ? scope.split(",") : scope,
});

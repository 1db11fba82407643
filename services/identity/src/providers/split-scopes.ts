import type { Answer } from "./provider-call.ts";

/** Normalises a token response that separates scopes by commas. */
export const splitScopes = ({ scope, ...answer }: Answer): Answer => ({
  ...answer,
  scope: typeof scope === "string" ? scope.split(",") : scope,
});

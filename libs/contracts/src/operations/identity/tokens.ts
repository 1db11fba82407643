import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { operationGroup } from "../../operation-group.ts";

/** Signed tokens that other services can verify by themselves. */
export const tokenOperations = operationGroup("Signed tokens", {
  getToken: operation({
    name: "getToken",
    stepUp: stepUps.sameSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/token",
    summary: "Returns a signed token of the caller's user.",
    feature: "jwt",
    reply: z.object({ token: z.string() }),
    errors: [],
    access: "session",
    admitsGuests: true,
    repeatable: true,
  }),
  getJwks: operation({
    name: "getJwks",
    stepUp: stepUps.noSession,
    owner: "identity",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/jwks",
    summary: "Returns the public keys that verify signed tokens (RFC 7517).",
    feature: "jwt",
    reply: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
});

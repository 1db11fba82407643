import { z } from "zod";
import { operation } from "../../operation.ts";
import { stepUps } from "../../step-up.ts";
import { operationGroup } from "../../operation-group.ts";

/** Public operations of the gateway itself. */
export const serviceOperations = operationGroup("Service", {
  ok: operation({
    name: "ok",
    stepUp: stepUps.noSession,
    owner: "gateway",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/ok",
    summary: "Returns that the gateway is up.",
    reply: z.object({ ok: z.boolean() }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  error: operation({
    name: "error",
    stepUp: stepUps.noSession,
    owner: "gateway",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/error",
    summary: "Shows a page with the code of a failed sign-in and a link back to the application.",
    query: z.object({ error: z.string().optional() }),
    reply: z.string().meta({ contentType: "text/html" }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  generateOpenApiSchema: operation({
    name: "generateOpenApiSchema",
    stepUp: stepUps.noSession,
    owner: "gateway",
    exposure: "public",
    rateClass: "general",
    method: "GET",
    path: "/open-api/generate-schema",
    summary: "Returns the OpenAPI 3.1 document of the operations that this installation offers.",
    feature: "openApi",
    reply: z.record(z.string(), z.unknown()),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
});

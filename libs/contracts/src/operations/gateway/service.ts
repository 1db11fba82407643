import { z } from "zod";
import { operation } from "../../operation.ts";

/** What the gateway answers everybody about itself. */
export const serviceOperations = {
  ok: operation({
    name: "ok",
    owner: "gateway",
    exposure: "public",
    method: "GET",
    path: "/ok",
    summary: "Says that the gateway answers.",
    reply: z.object({ ok: z.boolean() }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  error: operation({
    name: "error",
    owner: "gateway",
    exposure: "public",
    method: "GET",
    path: "/error",
    summary: "A page that shows the code of a failed sign-in and a way back to the application.",
    query: z.object({ error: z.string().optional() }),
    reply: z.string().meta({ contentType: "text/html" }),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
  generateOpenApiSchema: operation({
    name: "generateOpenApiSchema",
    owner: "gateway",
    exposure: "public",
    method: "GET",
    path: "/open-api/generate-schema",
    summary: "Gives the OpenAPI 3.1 document of what this installation offers.",
    feature: "openApi",
    reply: z.record(z.string(), z.unknown()),
    errors: [],
    access: "anyone",
    repeatable: true,
  }),
} as const;

import { z } from "zod";
import { errorCatalogue, type ErrorCode, wireCode } from "./error-catalogue.ts";
import type { Operation } from "./operation.ts";
import { allOperations } from "./operations.ts";

/** JSON Schema of a zod schema as the wire shows it: dates are text, `X or null` is X made nullable. */
export const jsonSchema = (schema: z.ZodType, io: "input" | "output"): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    target: "openapi-3.0",
  });
  return rest;
};

const describeError = (code: ErrorCode): string => {
  const { message } = errorCatalogue[code];
  return code === "TOO_MANY_REQUESTS"
    ? `without a code: ${message}`
    : `${wireCode(code)}: ${message}`;
};

const errorResponse = (codes: readonly ErrorCode[]) => ({
  description: codes.map(describeError).join("; "),
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/Error" } },
  },
});

const transportErrors = (declared: Operation): ErrorCode[] => [
  ...(declared.body || declared.query ? (["VALIDATION_ERROR"] as const) : []),
  ...(declared.method === "POST" ? (["INVALID_ORIGIN", "BODY_TOO_LARGE"] as const) : []),
  ...(declared.access === "anyone" ? [] : (["UNAUTHORIZED"] as const)),
  ...(declared.access === "fresh session" ? (["SESSION_IS_NOT_FRESH"] as const) : []),
  "TOO_MANY_REQUESTS",
  "SERVICE_UNAVAILABLE",
];

const errorResponses = (declared: Operation) => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const error of [...transportErrors(declared), ...declared.errors]) {
    const [code, status] =
      typeof error === "string" ? [error, errorCatalogue[error].status] : error;
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .toSorted(([a], [b]) => a - b)
      .map(([status, codes]) => [status, errorResponse(codes)]),
  );
};

const queryParameters = (query: z.ZodObject) => {
  const { properties = {}, required = [] } = jsonSchema(query, "input") as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
};

const contentTypeOf = ({ reply }: Operation): string => {
  const declared = reply.meta()?.["contentType"];
  return typeof declared === "string" ? declared : "application/json";
};

const describe = (declared: Operation) => ({
  operationId: declared.name,
  summary: declared.summary,
  tags: [declared.owner],
  ...(declared.access === "anyone" ? { security: [] } : {}),
  ...(declared.query ? { parameters: queryParameters(declared.query) } : {}),
  ...(declared.body
    ? {
        requestBody: {
          required: true,
          content: { "application/json": { schema: jsonSchema(declared.body, "input") } },
        },
      }
    : {}),
  responses: {
    200: {
      description: "Success",
      content: {
        [contentTypeOf(declared)]: {
          schema: jsonSchema(declared.reply, "output"),
        },
      },
    },
    ...(declared.mayRedirect ? { 302: { description: "To the callback URL" } } : {}),
    ...errorResponses(declared),
  },
});

/** The OpenAPI document of all public operations. `baseUrl` includes the base path. */
export const openApiDocument = (baseUrl: string) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const declared of allOperations) {
    if (declared.exposure !== "public") continue;
    paths[declared.path] = {
      ...paths[declared.path],
      [declared.method.toLowerCase()]: describe(declared),
    };
  }
  return {
    openapi: "3.0.3",
    info: { title: "Latchkey", version: "1.0.0" },
    servers: [{ url: baseUrl }],
    security: [{ sessionCookie: [] }, { bearer: [] }],
    components: {
      securitySchemes: {
        sessionCookie: { type: "apiKey", in: "cookie", name: "auth.session_token" },
        bearer: { type: "http", scheme: "bearer" },
      },
      schemas: {
        Error: {
          type: "object",
          required: ["message"],
          properties: {
            code: { type: "string" },
            message: { type: "string" },
            issues: {
              type: "array",
              items: {
                type: "object",
                required: ["path", "message"],
                properties: { path: { type: "string" }, message: { type: "string" } },
              },
            },
          },
        },
      },
    },
    paths,
  };
};

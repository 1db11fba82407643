import type { z } from "zod";
import type { AdditionalFields } from "./additional-fields.ts";
import {
  errorCatalogue,
  type ErrorCode,
  newSdkCode,
  showsCode,
  wireCode,
} from "./error-catalogue.ts";
import { documentSchema, objectSchemas } from "./json-schema.ts";
import type { Operation } from "./operation.ts";
import { operationTag, operationTags } from "./operation-group.ts";
import { allOperations } from "./operations.ts";
import { type AskingStepUp, refusesBorrowed } from "./step-up.ts";

/** The parts of an installation that its document describes. Empty: every operation. */
export interface Installation {
  title?: string;
  /** Name of the session cookie. */
  cookieName?: string;
  /** Whether session tokens are accepted in the Authorization header. */
  bearer?: boolean;
  fields?: AdditionalFields;
  isOffered?: (declared: Operation) => boolean;
}

const describeError = (code: ErrorCode): string => {
  const { message } = errorCatalogue[code];
  const newCode = newSdkCode(code);
  const shown = showsCode(code) ? wireCode(code) : "without a code";
  return `${shown}${newCode === undefined ? "" : ` (${newCode} for SDK 1.7)`}: ${message}`;
};

const errorResponse = (codes: readonly ErrorCode[]) => ({
  description: codes.map(describeError).join("; "),
  content: {
    "application/json": { schema: { $ref: "#/components/schemas/Error" } },
  },
});

const transportErrors = ({
  params,
  query,
  body,
  signedOut = "UNAUTHORIZED",
  ...declared
}: Operation): Operation["errors"] => [
  ...(params || query || body ? (["VALIDATION_ERROR"] as const) : []),
  ...(declared.method === "POST" ? (["INVALID_ORIGIN", "BODY_TOO_LARGE"] as const) : []),
  ...(declared.access === "anyone" ? [] : [signedOut]),
  ...(declared.access === "fresh session" || declared.stepUp.asks !== "never"
    ? (["SESSION_IS_NOT_FRESH"] as const)
    : []),
  ...(declared.refusesImpersonators ||
  declared.refusesApiKeys ||
  declared.waysIn ||
  refusesBorrowed(declared.stepUp)
    ? (["FORBIDDEN"] as const)
    : []),
  ...(declared.permission ? [declared.permission.refusal] : []),
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

const parametersIn = (place: "path" | "query", schema: z.ZodObject | undefined) => {
  if (!schema) return [];
  const { properties = {}, required = [] } = documentSchema(schema, "input") as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, described]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: described,
  }));
};

const parametersOf = ({ params, query }: Operation) => {
  const parameters = [...parametersIn("path", params), ...parametersIn("query", query)];
  return parameters.length > 0 ? { parameters } : {};
};

const contentTypeOf = ({ reply }: Operation): string => {
  const declared = reply.meta()?.["contentType"];
  return typeof declared === "string" ? declared : "application/json";
};

const describeStepUp = ({ asks, when, because }: AskingStepUp): string =>
  [
    when === undefined ? "Needs a strong session" : "Some requests need a strong session",
    ...(asks === "withSecondFactor" ? ["if the user has a second factor"] : []),
  ].join(" ") + `. ${because}`;

/** A posted form needs 303, so that the browser follows with a GET. */
const redirectStatus = ({ mailedLink, method }: Operation): number =>
  mailedLink && method === "POST" ? 303 : 302;

const describe = (declared: Operation, fields: AdditionalFields | undefined) => {
  const tag = operationTag(declared);
  return {
    operationId: declared.name,
    summary: declared.summary,
    ...(declared.stepUp.asks === "never" ? {} : { description: describeStepUp(declared.stepUp) }),
    tags: tag === undefined ? [] : [tag],
    ...(declared.access === "anyone" ? { security: [] } : {}),
    ...parametersOf(declared),
    ...(declared.body
      ? {
          requestBody: {
            required: !declared.bodyOptional,
            content: {
              "application/json": { schema: documentSchema(declared.body, "input", fields) },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: "Success",
        content: {
          [contentTypeOf(declared)]: { schema: documentSchema(declared.reply, "output", fields) },
        },
      },
      ...(declared.mayRedirect
        ? { [redirectStatus(declared)]: { description: "To the callback URL" } }
        : {}),
      ...errorResponses(declared),
    },
  };
};

const errorSchema = {
  type: "object",
  required: ["message"],
  properties: {
    code: { type: "string" },
    message: { type: "string" },
    hint: { type: "string" },
    issues: {
      type: "array",
      items: {
        type: "object",
        required: ["path", "message"],
        properties: { path: { type: "string" }, message: { type: "string" } },
      },
    },
    details: { type: "object", additionalProperties: true },
  },
} as const;

const describePaths = (declared: readonly Operation[], fields: AdditionalFields | undefined) => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of declared)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation, fields),
    };
  return paths;
};

/** Returns the OpenAPI document of the public operations that an installation offers. `baseUrl` includes the base path. */
export const openApiDocument = (baseUrl: string, installation: Installation = {}) => {
  const { title = "Latchkey", cookieName = "auth.session_token", bearer = true } = installation;
  const { fields, isOffered = () => true } = installation;
  const offered = allOperations.filter(
    (declared) => declared.exposure === "public" && isOffered(declared),
  );
  const used = new Set(offered.map(operationTag));
  return {
    openapi: "3.1.1",
    info: {
      title,
      description: "Sign-up, sign-in, sessions and accounts.",
      version: "1.1.0",
    },
    servers: [{ url: baseUrl }],
    security: [{ apiKeyCookie: [] }, ...(bearer ? [{ bearerAuth: [] }] : [])],
    tags: operationTags.filter((name) => used.has(name)).map((name) => ({ name })),
    components: {
      securitySchemes: {
        apiKeyCookie: { type: "apiKey", in: "cookie", name: cookieName },
        ...(bearer ? { bearerAuth: { type: "http", scheme: "bearer" } } : {}),
      },
      schemas: { ...objectSchemas(fields), Error: errorSchema },
    },
    paths: describePaths(offered, fields),
  };
};

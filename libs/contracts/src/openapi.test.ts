import { describe, expect, test } from "vitest";
import type { Operation } from "./operation.ts";
import { additionalFieldsOf } from "./additional-fields.ts";
import { openApiDocument } from "./openapi.ts";
import { allOperations, operations } from "./operations.ts";
import { optionsSchema } from "./options.ts";

interface Described {
  operationId: string;
  tags: string[];
  security?: unknown[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { required: boolean; content: { "application/json": { schema: Schema } } };
  responses: Record<string, { description: string; content?: Record<string, unknown> }>;
}

interface Schema {
  properties: Record<string, unknown>;
  required?: string[];
}

const baseUrl = "https://auth.example.com/api/auth";
const document = openApiDocument(baseUrl);
const published = allOperations.filter(({ exposure }) => exposure === "public");

const operationsOf = ({ paths }: typeof document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      place: `${method} ${path}`,
      path,
      described: described as Described,
    })),
  );
const described = operationsOf(document);

const find = (name: string, within = document): Described => {
  const entry = operationsOf(within).find(({ described }) => described.operationId === name);
  if (!entry) throw new Error(`${name} is not in the document`);
  return entry.described;
};

/** Returns every object and array in a JSON value, including the value itself. */
const partsOf = (value: unknown): Record<string, unknown>[] =>
  typeof value === "object" && value !== null
    ? [value as Record<string, unknown>, ...Object.values(value).flatMap(partsOf)]
    : [];

const followed = (ref: string): unknown => {
  const [root, ...names] = ref.split("/");
  expect(root).toBe("#");
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document);
};

describe("the document", () => {
  test("contains every public operation once, under its path and method, and no internal one", () => {
    expect(
      described.map(({ place, described: { operationId } }) => `${operationId}: ${place}`).sort(),
    ).toEqual(
      published.map(({ name, method, path }) => `${name}: ${method.toLowerCase()} ${path}`).sort(),
    );
  });

  test("is OpenAPI 3.1.1 with its server, and survives JSON", () => {
    expect(document).toMatchObject({ openapi: "3.1.1", servers: [{ url: baseUrl }] });
    expect(document.info).toEqual({
      title: "Latchkey",
      description: expect.any(String),
      version: expect.any(String),
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
  });

  test("has no dangling reference", () => {
    const refs = partsOf(document).flatMap(({ $ref }) => (typeof $ref === "string" ? [$ref] : []));
    expect(new Set(refs)).toEqual(
      new Set(
        ["User", "FullUser", "Session", "Error"].map((name) => `#/components/schemas/${name}`),
      ),
    );
    for (const ref of refs) expect(followed(ref)).toBeTypeOf("object");
  });

  test("uses the JSON Schema of 3.1, without keywords of 3.0 or our own", () => {
    for (const part of partsOf(document))
      for (const word of [
        "nullable",
        "$schema",
        "$defs",
        "fieldsOf",
        "inputFieldsOf",
        "contentType",
      ])
        expect(part).not.toHaveProperty(word);
  });

  test("requires no member that it does not describe", () => {
    for (const part of partsOf(document))
      if (Array.isArray(part["required"]))
        expect(Object.keys(part["properties"] ?? {})).toEqual(
          expect.arrayContaining(part["required"]),
        );
  });

  test("puts every operation under exactly one heading, and lists only the headings in use", () => {
    const used = new Set(described.map(({ described: { tags } }) => tags.join()));
    for (const { described: own } of described)
      expect([own.operationId, own.tags.length]).toEqual([own.operationId, 1]);
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
  });

  test("describes each name in a path as a path parameter, and nothing else as one", () => {
    for (const { path, described: own } of described) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = (own.parameters ?? []).filter((parameter) => parameter.in === "path");
      expect([path, parameters.map(({ name }) => name)]).toEqual([path, names]);
      for (const { required } of parameters) expect(required).toBe(true);
    }
  });

  test("describes every query parameter", () => {
    for (const { name, query } of published) {
      const parameters = (find(name).parameters ?? []).filter(({ in: place }) => place === "query");
      expect(parameters.map((parameter) => parameter.name)).toEqual(
        Object.keys(query?.shape ?? {}),
      );
    }
  });

  test("names the refusal of every permission that an operation requires", () => {
    const guarded = published.filter(({ permission }) => permission);
    expect(guarded.length).toBeGreaterThan(0);
    for (const { name, permission } of guarded)
      expect(find(name).responses["403"]?.description).toContain(permission?.refusal);
  });

  test("names the refusal of callers without a session", () => {
    expect(find("listSessions").responses["401"]?.description).toContain("UNAUTHORIZED");
    expect(find("updateOrganization").responses["401"]?.description).toBe(
      "USER_NOT_FOUND: User not found",
    );
  });

  test("marks the operations that need no session", () => {
    expect(find("signInEmail").security).toEqual([]);
    expect(find("listSessions").security).toBeUndefined();
    expect(document.security).toEqual([{ apiKeyCookie: [] }, { bearerAuth: [] }]);
  });

  test("marks the bodies that are optional", () => {
    for (const { name, body, bodyOptional = false } of published)
      expect([name, find(name).requestBody?.required]).toEqual([
        name,
        body ? !bodyOptional : undefined,
      ]);
  });

  test("declares the error page as HTML", () => {
    const [success] = Object.keys(find("error").responses["200"]?.content ?? {});
    expect(success).toBe("text/html");
  });
});

describe("the document of an installation", () => {
  test("carries its name, its cookie's name and whether it accepts bearer tokens", () => {
    const own = openApiDocument(baseUrl, {
      title: "Shop",
      cookieName: "__Secure-shop.session_token",
      bearer: false,
    });
    expect(own.info.title).toBe("Shop");
    expect(own.components.securitySchemes).toEqual({
      apiKeyCookie: { type: "apiKey", in: "cookie", name: "__Secure-shop.session_token" },
    });
    expect(own.security).toEqual([{ apiKeyCookie: [] }]);
  });

  test("leaves out disabled operations, and headings without operations", () => {
    const off = new Set<unknown>([
      "admin",
      "organizationAdmin",
      "teamsAdmin",
      "organizationRolesAdmin",
      "apiKeyAdmin",
      "passkeyAdmin",
      "twoFactorAdmin",
      "oauthProviderAdmin",
      "webhooks",
    ]);
    const isOffered = ({ feature }: Operation) => !off.has(feature);
    const own = openApiDocument(baseUrl, { isOffered });
    const names = operationsOf(own).map(({ described: { operationId } }) => operationId);
    expect(names.toSorted()).toEqual(
      published
        .filter(isOffered)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect(own.tags).not.toContainEqual({ name: "Admin" });
    expect(own.tags).toContainEqual({ name: "Sessions" });
  });

  test("shows the returned additional fields in replies and the input fields in bodies", () => {
    const options = optionsSchema.parse({
      user: {
        additionalFields: {
          nickname: { type: "string" },
          salary: { type: "number", returned: false, required: false },
          plan: { type: ["free", "paid"], input: false },
        },
      },
      session: { additionalFields: { device: { type: "string" } } },
    });
    const own = openApiDocument(baseUrl, { fields: additionalFieldsOf(options) });
    const { User, FullUser, Session } = own.components.schemas as unknown as Record<string, Schema>;
    expect(Object.keys(FullUser?.properties ?? {})).toEqual(
      expect.arrayContaining(["nickname", "plan"]),
    );
    expect(FullUser?.properties).not.toHaveProperty("salary");
    expect(Object.keys(User?.properties ?? {})).toHaveLength(7);
    expect(Session?.properties).toMatchObject({ device: { type: ["string", "null"] } });

    const bodyOf = (name: string) =>
      find(name, own).requestBody?.content["application/json"].schema;
    const signUp = bodyOf(operations.identity.signUpEmail.name);
    expect(signUp?.properties).toMatchObject({ nickname: {}, salary: {} });
    expect(signUp?.properties).not.toHaveProperty("plan");
    expect(signUp?.required).toContain("nickname");
    const update = bodyOf(operations.identity.updateUser.name);
    expect(update?.properties).toMatchObject({ nickname: {}, salary: {} });
    expect(update?.required ?? []).not.toContain("nickname");
  });
});

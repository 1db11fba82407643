import { expect, test } from "vitest";
import { jsonSchema, openApiDocument } from "./openapi.ts";
import { allOperations, operations } from "./operations.ts";

test("an operation is found under its own name, with its owner", () => {
  for (const [owner, owned] of Object.entries(operations))
    for (const [name, declared] of Object.entries(owned))
      expect([declared.name, declared.owner]).toEqual([name, owner]);
});

test("no two operations share a method and path of one exposure", () => {
  const places = allOperations.map(({ exposure, method, path }) => `${exposure} ${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test("every redirect URL that an operation declares is part of its input", () => {
  for (const declared of allOperations) {
    const input = declared.method === "GET" ? declared.query : declared.body;
    for (const field of declared.redirects ?? []) expect(input?.shape).toHaveProperty(field);
  }
});

test("the reference lists every public operation and no internal one", () => {
  const { paths } = openApiDocument("http://localhost:3000/api/auth");
  for (const { exposure, method, path } of allOperations)
    expect(paths[path]?.[method.toLowerCase()] !== undefined).toBe(exposure === "public");
});

test("a reply that may be null is nullable, and its dates are text", () => {
  expect(jsonSchema(operations.identity.getSession.reply, "output")).toMatchObject({
    nullable: true,
    properties: { session: { properties: { expiresAt: { type: "string", format: "date-time" } } } },
  });
});

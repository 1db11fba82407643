import { expect, test } from "vitest";
import { allOperations, operations } from "./operations.ts";
import { auditedServices } from "./service-name.ts";

test("an operation is found under its own name, with its owner", () => {
  for (const [owner, owned] of Object.entries(operations))
    for (const [name, declared] of Object.entries(owned))
      expect([declared.name, declared.owner]).toEqual([name, owner]);
});

test("no two operations share a method and path of one exposure", () => {
  const places = allOperations.map(({ exposure, method, path }) => `${exposure} ${method} ${path}`);
  expect(new Set(places).size).toBe(places.length);
});

test("each service that keeps an audit log lets it be read", () => {
  for (const name of auditedServices)
    expect(allOperations.map(({ owner, path }) => `${owner} ${path}`)).toContain(
      `${name} /admin/audit/${name}`,
    );
});

test("every redirect URL that an operation declares is part of its input", () => {
  for (const declared of allOperations) {
    const input = declared.method === "GET" ? declared.query : declared.body;
    for (const field of declared.redirects ?? []) expect(input?.shape).toHaveProperty(field);
  }
});

test("who creates organizations for others names a user by a text of a row's length, or by a number", () => {
  const { body } = operations.organization.createOrganizationFor;
  const read = (userId: unknown) => body.safeParse({ name: "Acme", slug: "acme", userId });
  for (const userId of ["u".repeat(255), 7])
    expect(read(userId)).toMatchObject({ success: true, data: { userId: String(userId) } });
  for (const userId of ["u".repeat(256), "u\0"]) expect(read(userId).success).toBe(false);
});

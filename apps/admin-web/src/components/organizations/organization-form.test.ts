import { describe, expect, test } from "vitest";
import { changeOf, organizationForm, readMetadata, slugOf } from "./organization-form.ts";

const before = { name: "Acme", slug: "acme", logo: "", metadata: '{"a":1}' };

describe("the form of an organization", () => {
  test("sends only what has changed", () => {
    expect(changeOf(before, before)).toEqual({});
    expect(changeOf({ ...before, slug: "acme-2", metadata: "" }, before)).toEqual({
      slug: "acme-2",
      metadata: {},
    });
  });

  test("trims blanks only from changed texts", () => {
    const blank = { ...before, slug: " acme ", logo: " " };
    const parsed = organizationForm.parse({ ...blank, name: " Acme Ltd " });
    expect(changeOf(parsed, blank)).toEqual({ name: "Acme Ltd" });
    expect(changeOf({ ...blank, slug: "acme" }, blank)).toEqual({ slug: "acme" });
  });

  test.each([
    ["empty text", "  ", {}],
    ["an object", '{"a":[1]}', { a: [1] }],
    ["a list", "[1]", undefined],
    ["a text", '"a"', undefined],
    ["null", "null", undefined],
    ["invalid JSON", "{a:1}", undefined],
  ])("reads metadata from %s", (_what, text, read) => {
    expect(readMetadata(text)).toEqual(read);
  });

  test("rejects an empty or too long name", () => {
    const faultsOf = (name: string) =>
      organizationForm.safeParse({ ...before, name }).error?.issues.map(({ path }) => path[0]);
    expect(faultsOf(" ")).toEqual(["name"]);
    expect(faultsOf("a".repeat(256))).toEqual(["name"]);
    expect(faultsOf(` ${"a".repeat(255)} `)).toBeUndefined();
    expect(faultsOf("a")).toBeUndefined();
  });
});

test.each([
  ["Acme & Söhne GmbH", "acme-sohne-gmbh"],
  ["  --Bolt-- ", "bolt"],
  ["日本", ""],
  ["a".repeat(80), "a".repeat(64)],
])("suggests a slug for %j", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

import { describe, expect, test } from "vitest";
import { changeOf, organizationForm, readMetadata } from "./organization-form.ts";

const before = { name: "Acme", slug: "acme", logo: "", metadata: '{"a":1}' };

describe("the form of an organization", () => {
  test("sends what has changed, and nothing else", () => {
    expect(changeOf(before, before)).toEqual({});
    expect(changeOf({ ...before, slug: "acme-2", metadata: "" }, before)).toEqual({
      slug: "acme-2",
      metadata: {},
    });
  });

  test("takes the blanks around a text away only where it was changed", () => {
    const blank = { ...before, slug: " acme ", logo: " " };
    const parsed = organizationForm.parse({ ...blank, name: " Acme Ltd " });
    expect(changeOf(parsed, blank)).toEqual({ name: "Acme Ltd" });
    expect(changeOf({ ...blank, slug: "acme" }, blank)).toEqual({ slug: "acme" });
  });

  test.each([
    ["nothing", "  ", {}],
    ["an object", '{"a":[1]}', { a: [1] }],
    ["a list", "[1]", undefined],
    ["a text", '"a"', undefined],
    ["null", "null", undefined],
    ["what is no JSON", "{a:1}", undefined],
  ])("reads metadata from %s", (_what, text, read) => {
    expect(readMetadata(text)).toEqual(read);
  });

  test("takes neither an empty name nor one that is too long", () => {
    const faultsOf = (name: string) =>
      organizationForm.safeParse({ ...before, name }).error?.issues.map(({ path }) => path[0]);
    expect(faultsOf(" ")).toEqual(["name"]);
    expect(faultsOf("a".repeat(256))).toEqual(["name"]);
    expect(faultsOf(` ${"a".repeat(255)} `)).toBeUndefined();
    expect(faultsOf("a")).toBeUndefined();
  });
});

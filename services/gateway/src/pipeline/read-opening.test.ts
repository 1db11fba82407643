import { describe, expect, test } from "vitest";
import { judgeOpening, type OpeningHeaders } from "./caller-of.ts";

const trust = { isTrusted: (origin: string) => origin === "https://app.example.com" };
const judge = (headers: OpeningHeaders, callbackURL?: string, method = "GET") =>
  judgeOpening({ method, callbackURL, headers }, trust);

const trusted = { origin: "https://app.example.com", secFetchMode: "cors" };

describe("a GET without a redirect target", () => {
  test.each<[string, OpeningHeaders]>([
    ["without any header", {}],
    ["of a program that accepts anything", { accept: "*/*" }],
    ["of a program on Node", { accept: "*/*", secFetchMode: "cors" }],
    ["of a script of a trusted page", trusted],
    ["of a script of our own page", { secFetchMode: "cors", secFetchSite: "same-origin" }],
  ])("is a call: %s", (_, headers) => {
    expect(judge(headers)).toBe("call");
  });

  test.each<[string, OpeningHeaders]>([
    ["a navigation", { secFetchMode: "navigate", secFetchSite: "none" }],
    ["a navigation with another mode mixed into its header", { secFetchMode: "navigate, cors" }],
    ["a navigation of a browser that sends no mode", { accept: "Text/HTML,*/*;q=0.8" }],
    ["an image", { secFetchMode: "no-cors", secFetchSite: "same-origin" }],
    ["a script of a foreign page", { secFetchMode: "cors", origin: "https://evil.example" }],
    ["a script of a page without an origin", { secFetchMode: "cors", origin: "null" }],
    ["a sibling site without an Origin", { secFetchMode: "cors", secFetchSite: "same-site" }],
  ])("is a link: %s", (_, headers) => {
    expect(judge(headers)).toBe("link");
  });
});

describe("a GET with a redirect target, as in every mailed link", () => {
  test.each<[string, OpeningHeaders]>([
    ["without any header", {}],
    ["of a scanner on Node", { accept: "*/*", secFetchMode: "cors" }],
  ])("is a link: %s", (_, headers) => {
    expect(judge(headers, "/")).toBe("link");
  });

  test("is a call if a script of a trusted page sends it", () => {
    expect(judge(trusted, "/")).toBe("call");
    expect(judge({ secFetchMode: "cors", secFetchSite: "same-origin" }, "/")).toBe("call");
  });

  test("is not a call if the target is named twice", () => {
    expect(judgeOpening({ method: "GET", callbackURL: ["/", "/"], headers: {} }, trust)).toBe(
      "link",
    );
  });
});

test.each(["prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"])(
  "a request with the purpose %s is a prefetch, whatever its other headers",
  (purpose) => {
    expect(judge({ ...trusted, purpose })).toBe("prefetch");
  },
);

test("a form is a link, and JSON is a call", () => {
  const form = { contentType: "application/x-www-form-urlencoded" };
  expect(judge(form, undefined, "POST")).toBe("link");
  expect(judge({ contentType: "application/json" }, undefined, "POST")).toBe("call");
});

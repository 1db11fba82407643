import { describe, expect, test } from "vitest";
import { applicationUrl, landingPlace } from "./landing-place.ts";

const baseUrl = "https://auth.example.com/api/auth";
const own = "https://auth.example.com";
const shop = "https://shop.example.com/start";
const desk = "https://desk.example.com";
const apps = [shop, desk];

describe("the application of a request", () => {
  test.each([
    ["without an origin is the first", undefined, shop],
    ["from our own origin is the first", own, shop],
    ["from a configured application is that one, path and all", "https://shop.example.com", shop],
    ["from another configured application is that one", desk, desk],
    [
      "from a trusted origin without a configured address is that origin",
      "https://x.test",
      "https://x.test",
    ],
  ])("%s", (_case, origin, expected) => {
    expect(applicationUrl(apps, { baseUrl, ...(origin ? { origin } : {}) })).toBe(expected);
  });

  test("is unknown without configuration and without another origin", () => {
    expect(applicationUrl([], { baseUrl })).toBeUndefined();
    expect(applicationUrl([], { baseUrl, origin: own })).toBeUndefined();
  });
});

describe("a callback", () => {
  test.each([
    ["that is a path belongs to the requesting origin", desk, "/home?a=1", `${desk}/home?a=1`],
    [
      "that is a path belongs to the first application without an origin",
      undefined,
      "/home",
      "https://shop.example.com/home",
    ],
    ["that is a path stays a path for our own origin", own, "/home", "/home"],
    ["that is a URL stays as it is", desk, "https://x.test/a", "https://x.test/a"],
    ["of an app's scheme stays as it is", desk, "myapp://home", "myapp://home"],
    ["that is empty counts as missing", desk, "", desk],
  ])("%s", (_case, origin, callback, expected) => {
    const source = { baseUrl, ...(origin ? { origin } : {}) };
    expect(landingPlace(apps, source, callback)).toBe(expected);
  });

  test("that is a path stays a path without a known application", () => {
    expect(landingPlace([], { baseUrl }, "/home")).toBe("/home");
  });

  test("accepts a single address like a list of one", () => {
    expect(landingPlace(desk, { baseUrl }, "/home")).toBe(`${desk}/home`);
  });
});

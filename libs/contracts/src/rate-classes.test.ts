import { expect, test } from "vitest";
import { allOperations } from "./operations.ts";

test("the strict limit covers every operation whose reply reveals whether a password is right", () => {
  const revealing = allOperations.filter(({ password }) => password === "checked");
  expect(revealing.filter(({ rateClass }) => rateClass !== "strict")).toEqual([]);
});

test("an operation that takes a mailed code or that of an app has a limit of its own", () => {
  const takesCode = allOperations.filter(({ exposure, body: { shape = {} } = {} }) => {
    const isOfProvider = "state" in shape;
    return exposure === "public" && ("code" in shape || "otp" in shape) && !isOfProvider;
  });
  expect(takesCode.length).toBeGreaterThan(5);
  expect(takesCode.filter(({ rateClass }) => rateClass === "general")).toEqual([]);
});

test("a page may request the pictures of many people at once", () => {
  const files = allOperations.filter(({ servesFile }) => servesFile);
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter(({ rateClass }) => rateClass !== "file")).toEqual([]);
});

test("only internal operations have no limit", () => {
  const unlimited = allOperations.filter(({ rateClass }) => rateClass === "none");
  expect(new Set(unlimited.map(({ exposure }) => exposure))).toEqual(new Set(["internal"]));
  expect(allOperations.filter(({ exposure }) => exposure === "internal")).toEqual(unlimited);
});

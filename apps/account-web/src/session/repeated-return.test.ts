import { expect, test } from "vitest";
import { isRepeatedReturn, rememberReturn } from "./repeated-return.ts";

const page = "https://app.other.example/signed-in";

const createStore = () => {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
};

test("notices that an application sends a user back at once, whatever its query", () => {
  const store = createStore();
  expect(isRepeatedReturn(`${page}?state=a`, store, 1_000_000)).toBe(false);
  rememberReturn(`${page}?state=a`, store, 1_000_000);
  expect(isRepeatedReturn(`${page}?state=b#c`, store, 1_002_000)).toBe(true);
});

test.each([
  ["another page", "https://app.example.com/signed-in", 1_001_000],
  ["the same page later", page, 1_015_000],
])("leads on to %s", (_what, address, now) => {
  const store = createStore();
  rememberReturn(page, store, 1_000_000);
  expect(isRepeatedReturn(address, store, now)).toBe(false);
});

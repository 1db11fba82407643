import { expect, test } from "vitest";
import { appOriginOf } from "./app-origin.ts";

test.each(["myapp://", "myapp:///", "exp://192.0.2.1:8081", "com.example.app://"])(
  "accepts the app origin %s",
  (named) => {
    expect(appOriginOf({ "expo-origin": named })).toBe(named);
  },
);

test.each([
  ["beside an Origin", { origin: "https://evil.com", "expo-origin": "myapp://" }],
  ["beside an opaque Origin", { origin: "null", "expo-origin": "myapp://" }],
  ["of the web", { "expo-origin": "https://app.example.com" }],
  ["that is no URL", { "expo-origin": "myapp" }],
  ["twice", { "expo-origin": ["myapp://", "other://"] }],
  ["by nobody", {}],
])("ignores an app origin %s", (_case, headers) => {
  expect(appOriginOf(headers)).toBeUndefined();
});

import { expect, test } from "vitest";
import { draftOf, fittingDraft } from "./draft-values.ts";

const defaults = { email: "", password: "", roles: [] as string[], isVerified: false };

test("keeps what was changed, and no excluded field", () => {
  const values = {
    email: "ada@example.com",
    password: "secret",
    roles: ["admin"],
    isVerified: false,
  };
  expect(draftOf(values, defaults, ["password"])).toEqual({
    email: "ada@example.com",
    roles: ["admin"],
  });
  expect(draftOf(defaults, defaults, [])).toEqual({});
});

test.each([
  [
    { email: "a", roles: ["b"], isVerified: true },
    { email: "a", roles: ["b"], isVerified: true },
  ],
  [{ email: 5, roles: "b", isVerified: "true", other: 1 }, {}],
  [undefined, {}],
  ["text", {}],
])("of the draft %j the form takes %j", (draft, fitting) => {
  expect(fittingDraft(draft, defaults)).toEqual(fitting);
});

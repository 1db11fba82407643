import { describe, expect, test } from "vitest";
import { identityConfig } from "./test-identity.fixture.ts";
import { wantedViews } from "./wanted-views.ts";

describe("the wanted views", () => {
  test("are none without a name", () => {
    expect(wantedViews(identityConfig({ user: { fields: { name: "full_name" } } }))).toEqual([]);
  });

  test("are one for each table with a name, with the names of its columns", () => {
    const config = identityConfig({
      user: { modelName: "users", fields: { name: "full_name" } },
      verification: { modelName: "tokens" },
    });
    const tokens = { option: "verification", name: "tokens", names: {}, computed: {} };
    expect(wantedViews(config)).toEqual([
      { table: "user", option: "user", name: "users", names: { name: "full_name" }, computed: {} },
      { table: "verification", ...tokens },
    ]);
  });

  test("read the additional fields of a table from its stored values", () => {
    const config = identityConfig({
      user: {
        modelName: "users",
        additionalFields: { favouriteColour: { type: "string" }, age: { type: "number" } },
      },
    });
    expect(wantedViews(config)[0]?.computed).toEqual({
      favouriteColour: "extra ->> 'favouriteColour'",
      age: "case when jsonb_typeof(extra -> 'age') = 'number' then (extra ->> 'age')::numeric end",
    });
  });
});

import { describe, expect, test } from "vitest";
import { identityConfig } from "../db/test-identity.fixture.ts";
import { describeView, type WantedView, wantedViews } from "./view-rules.ts";

const view = (given: Partial<WantedView> = {}): WantedView => ({
  table: "user",
  name: "people",
  names: {},
  additionalFields: {},
  ...given,
});
const tableColumns = ["id", "email_verified", "extra"];

describe("the views that are asked for", () => {
  test("are none without a name", () => {
    expect(wantedViews(identityConfig({ user: { fields: { name: "full_name" } } }))).toEqual([]);
  });

  test("are one for each table that has one, with the names of its columns", () => {
    const config = identityConfig({
      user: { modelName: "people", fields: { name: "full_name" } },
      verification: { modelName: "tokens" },
    });
    expect(wantedViews(config)).toEqual([
      { table: "user", name: "people", names: { name: "full_name" }, additionalFields: {} },
      { table: "verification", name: "tokens", names: {}, additionalFields: {} },
    ]);
  });
});

describe("a view", () => {
  test("has every column of the table, under its own name or the one that is given", () => {
    const { view: described, problems } = describeView(
      view({ names: { emailVerified: "isVerified" } }),
      tableColumns,
    );
    expect(problems).toEqual([]);
    expect(described.definition).toBe(
      'select "id" as "id", "email_verified" as "isVerified", "extra" as "extra" from identity."user"',
    );
  });

  test("has the additional fields after them, by their names as columns have them", () => {
    const additionalFields = identityConfig({
      user: {
        additionalFields: { favouriteColour: { type: "string" }, myURL: { type: "string" } },
      },
    }).additionalFields.user;
    const { definition } = describeView(
      view({ additionalFields, names: { myURL: "link" } }),
      [],
    ).view;
    expect(definition).toContain(`extra ->> 'favouriteColour' as "favourite_colour"`);
    expect(definition).toContain(`extra ->> 'myURL' as "link"`);
  });

  test("tells by its comment when anything of it has changed", () => {
    const commentOf = (names: Record<string, string>) =>
      describeView(view({ names }), tableColumns).view.comment;
    expect(commentOf({})).toBe(commentOf({}));
    expect(commentOf({ id: "key" })).not.toBe(commentOf({}));
  });

  test.each([
    ["a field that is not there", { nope: "x" }, ["user.fields.nope: there is no such field"]],
    [
      "a member that every object has",
      { constructor: "x" },
      ["user.fields.constructor: there is no such field"],
    ],
    [
      "a column by its name",
      { email_verified: "x" },
      ["user.fields.email_verified: there is no such field"],
    ],
    ["one name for two", { id: "extra" }, ["user.fields.extra: another column is named extra too"]],
  ])("is refused for %s", (_, names, expected) => {
    expect(describeView(view({ names }), tableColumns).problems).toEqual(expected);
  });
});

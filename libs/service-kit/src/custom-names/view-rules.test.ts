import { describe, expect, test } from "vitest";
import { describeView, type WantedView } from "./view-rules.ts";

const describeWith = (given: Partial<WantedView> = {}, columns = ["id", "made_by", "extra"]) =>
  describeView(
    { table: "note", option: "some.note", name: "memos", names: {}, ...given },
    { schema: "sample", columns },
  );

describe("a view", () => {
  test("has every column of the table, under its own or the configured name", () => {
    const { view, problems } = describeWith({ names: { madeBy: "isAuthor" } });
    expect(problems).toEqual([]);
    expect(view.definition).toBe(
      'select "id" as "id", "made_by" as "isAuthor", "extra" as "extra" from sample."note"',
    );
  });

  test("has the computed columns last, with column names", () => {
    const computed = { favouriteColour: "lower(x)", myURL: "y" };
    const { definition } = describeWith({ computed, names: { myURL: "link" } }, ["id"]).view;
    expect(definition).toBe(
      'select "id" as "id", lower(x) as "favourite_colour", y as "link" from sample."note"',
    );
  });

  test("changes its comment with its definition", () => {
    const commentOf = (names: Record<string, string>) => describeWith({ names }).view.comment;
    expect(commentOf({})).toBe(commentOf({}));
    expect(commentOf({ id: "key" })).not.toBe(commentOf({}));
  });

  test.each([
    ["an unknown field", { nope: "x" }, "nope: there is no such field"],
    ["an inherited object member", { constructor: "x" }, "constructor: there is no such field"],
    ["a column name instead of a field", { made_by: "x" }, "made_by: there is no such field"],
    ["a duplicate name", { id: "extra" }, "extra: another column is named extra too"],
  ])("is rejected for %s", (_, names, expected) => {
    expect(describeWith({ names }).problems).toEqual([`some.note.fields.${expected}`]);
  });
});

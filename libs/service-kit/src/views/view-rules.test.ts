import { describe, expect, test } from "vitest";
import { describeView, type WantedView } from "./view-rules.ts";

const describeWith = (given: Partial<WantedView> = {}, columns = ["id", "made_by", "extra"]) =>
  describeView(
    { table: "note", option: "some.note", name: "memos", names: {}, ...given },
    { schema: "sample", columns },
  );

describe("a view", () => {
  test("has every column of the table, under its own name or the one that is given", () => {
    const { view, problems } = describeWith({ names: { madeBy: "isAuthor" } });
    expect(problems).toEqual([]);
    expect(view.definition).toBe(
      'select "id" as "id", "made_by" as "isAuthor", "extra" as "extra" from sample."note"',
    );
  });

  test("has computed columns after them, by their names as columns have them", () => {
    const computed = { favouriteColour: "lower(x)", myURL: "y" };
    const { definition } = describeWith({ computed, names: { myURL: "link" } }, ["id"]).view;
    expect(definition).toBe(
      'select "id" as "id", lower(x) as "favourite_colour", y as "link" from sample."note"',
    );
  });

  test("tells by its comment when anything of it has changed", () => {
    const commentOf = (names: Record<string, string>) => describeWith({ names }).view.comment;
    expect(commentOf({})).toBe(commentOf({}));
    expect(commentOf({ id: "key" })).not.toBe(commentOf({}));
  });

  test.each([
    ["a field that is not there", { nope: "x" }, "nope: there is no such field"],
    ["a member that every object has", { constructor: "x" }, "constructor: there is no such field"],
    ["a column by its name", { made_by: "x" }, "made_by: there is no such field"],
    ["one name for two", { id: "extra" }, "extra: another column is named extra too"],
  ])("is refused for %s", (_, names, expected) => {
    expect(describeWith({ names }).problems).toEqual([`some.note.fields.${expected}`]);
  });
});

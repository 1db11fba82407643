import { describe, expect, test } from "vitest";
import { nextPlace, previousPlace } from "./cursor-trail.ts";

describe("cursor pages", () => {
  test("return the same way as they went", () => {
    const first = { trail: [] };
    const second = nextPlace(first, "b");
    const third = nextPlace(second, "c");
    expect(third).toEqual({ cursor: "c", trail: ["", "b"] });
    expect(previousPlace(third)).toEqual({ cursor: "b", trail: [""] });
    expect(previousPlace(second)).toEqual({ cursor: undefined, trail: [] });
  });

  test("have none before the first", () => {
    expect(previousPlace({ trail: [] })).toBeUndefined();
  });

  test("return to the first one if the page was opened by a link", () => {
    expect(previousPlace({ cursor: "x", trail: [] })).toEqual({ cursor: undefined, trail: [] });
  });
});

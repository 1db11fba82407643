import { describe, expect, test } from "vitest";
import { nextPlace, previousPlace } from "./cursor-trail.ts";

describe("pages by cursors", () => {
  test("go on and back the same way", () => {
    const first = { trail: [] };
    const second = nextPlace(first, "b");
    const third = nextPlace(second, "c");
    expect(third).toEqual({ cursor: "c", trail: ["", "b"] });
    expect(previousPlace(third)).toEqual({ cursor: "b", trail: [""] });
    expect(previousPlace(second)).toEqual({ cursor: undefined, trail: [] });
  });

  test("nothing is before the first", () => {
    expect(previousPlace({ trail: [] })).toBeUndefined();
  });

  test("whoever came by a link goes back to the first", () => {
    expect(previousPlace({ cursor: "x", trail: [] })).toEqual({ cursor: undefined, trail: [] });
  });
});

import { expect, test } from "vitest";
import { ownerValue, readOwner } from "./owner-choice.ts";

test.each([{ userId: "a b" }, { organizationId: "a b" }, { userId: "" }])(
  "reads an owner from the value of its choice: %j",
  (owner) => {
    expect(readOwner(ownerValue(owner))).toEqual(owner);
  },
);

import { expect, test } from "vitest";
import { ownMembers, permissions } from "./objects.ts";

const read = (json: string) => permissions.optional().safeParse(JSON.parse(json));

test.each(['{"__proto__":["read"]}', '{"invoice":["read"],"__proto__":["read"]}'])(
  "%s is refused, because nobody would be asked for all of it",
  (json) => {
    expect(read(json).success).toBe(false);
  },
);

test.each(['{"constructor":["read"]}', '{"toString":[]}', "{}"])("%s is taken as it is", (json) => {
  expect(read(json)).toEqual({ success: true, data: JSON.parse(json) });
});

test.each(['{"a":"read"}', '{"a":[1]}', '{"":["read"]}', '["read"]', "null", '"read"'])(
  "%s is refused",
  (json) => {
    expect(read(json).success).toBe(false);
  },
);

test.each([Number.POSITIVE_INFINITY, Number.NaN, 0.5])(
  "a lifetime of %d seconds is none",
  (given) => {
    expect(ownMembers.expiresIn.safeParse(given).success).toBe(false);
  },
);

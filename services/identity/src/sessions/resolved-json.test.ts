import { optionsSchema } from "@latchkey/contracts";
import { expect, test } from "vitest";
import { createResolvedJson } from "./resolved-json.ts";

const field = { type: "string" } as const;
const options = optionsSchema.parse({
  user: { additionalFields: { nickname: field } },
  session: { additionalFields: { device: field } },
});
const resolvedJson = createResolvedJson({
  additionalFields: {
    user: options.user.additionalFields,
    session: options.session.additionalFields,
  },
});

const at = new Date("2030-01-01T00:00:00.000Z");
const session = {
  id: "s",
  token: "t",
  userId: "u",
  expiresAt: at,
  createdAt: at,
  updatedAt: at,
  ipAddress: "",
  userAgent: "",
};
const user = {
  id: "u",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  image: null,
  createdAt: at,
  updatedAt: at,
};
const authentication = {
  authenticatedAt: "2030-01-01T00:00:00.000Z",
  secondFactorAt: null,
  methods: ["password"],
};
const plain = (value: object) => JSON.parse(JSON.stringify(value)) as unknown;

test("writes the session and user with the additional fields, and nothing undeclared", () => {
  const own = {
    session: { ...session, device: "A" },
    user: { ...user, nickname: "B" },
    authentication,
  };
  const json = resolvedJson({ ...own, user: { ...own.user, secret: "C" } } as typeof own);
  expect(JSON.parse(json)).toEqual(plain(own));
});

test("writes null for no session", () => {
  expect(resolvedJson(null)).toBe("null");
});

test("leaves out the additional fields if they are too large for a header", () => {
  // Fewer letters than bytes.
  const much = "\u20ac".repeat(22_000);
  const large = {
    session: { ...session, device: much },
    user: { ...user, nickname: much },
    authentication,
  };
  expect(JSON.parse(resolvedJson(large))).toEqual(plain({ session, user, authentication }));
});

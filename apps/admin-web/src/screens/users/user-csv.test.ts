import { expect, test } from "vitest";
import { userCsv } from "./user-csv.ts";
import type { User } from "../../components/users/user.ts";

const fields = [
  { name: "plan", type: "string", required: false },
  { name: "seats", type: "number", required: false },
  { name: "tags", type: "string[]", required: false },
] as const;
const user = {
  id: "u1",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  image: "https://a.example/a.png",
  banned: false,
  createdAt: "",
  updatedAt: "",
  seats: -1,
  tags: ["a", "b"],
} as unknown as User;

test("exports images and additional fields of users", () => {
  const columns = userCsv(fields);
  const values = Object.entries(columns).map(([name, valueOf]) => [name, valueOf(user)]);
  expect(Object.fromEntries(values)).toMatchObject({
    email: "ada@example.com",
    image: "https://a.example/a.png",
    plan: undefined,
    seats: -1,
    tags: '["a","b"]',
  });
  expect(Object.keys(columns).slice(-3)).toEqual(["plan", "seats", "tags"]);
});

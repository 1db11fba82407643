import { expect, test } from "vitest";
import type { User } from "../use-user.ts";
import { changedNames, readProfile, valuesOf } from "./profile-values.ts";

const user = {
  id: "u1",
  name: "Ada",
  email: "ada@example.com",
  emailVerified: true,
  image: null,
  banned: false,
  createdAt: "",
  updatedAt: "",
  plan: "big",
} as User;
const fields = [{ name: "plan", type: "string", required: false } as const];
const saved = valuesOf(user, fields);

test("has a username only while usernames are on", () => {
  expect(saved).toEqual({ name: "Ada", email: "ada@example.com", image: "", "field:plan": "big" });
  expect(valuesOf({ ...user, username: null }, [])).toMatchObject({ username: "" });
});

test("sends only what has changed, without surrounding blanks", () => {
  const values = { ...saved, name: " Grace ", image: "https://a.example/a.png", "field:plan": "" };
  expect(changedNames(values, saved)).toEqual(["name", "image", "field:plan"]);
  expect(readProfile(values, saved, fields)).toEqual({
    data: { name: "Grace", image: "https://a.example/a.png", plan: null },
    faults: {},
  });
  expect(readProfile(saved, saved, fields)).toEqual({ data: {}, faults: {} });
});

test("removes the picture of an empty address", () => {
  const pictured = valuesOf({ ...user, image: "https://a.example/a.png" }, []);
  expect(readProfile({ ...pictured, image: "" }, pictured, []).data).toEqual({ image: null });
});

test("shows the domain of an email in Unicode, and takes the emails of the server", () => {
  const unicode = valuesOf({ ...user, email: "ada@xn--mller-kva.example" }, []);
  expect(unicode).toMatchObject({ email: "ada@müller.example" });
  for (const email of ["a&b@example.com", "ada@例え.テスト", " a/b@example.com "])
    expect(readProfile({ ...unicode, email }, unicode, [])).toEqual({
      data: { email: email.trim() },
      faults: {},
    });
});

test("names what is wrong", () => {
  const values = { ...saved, name: " ", email: "ada" };
  expect(Object.keys(readProfile(values, saved, fields).faults)).toEqual(["name", "email"]);
});

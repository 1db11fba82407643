import { expect, test } from "vitest";
import { readAdminRequest } from "./create-admin.ts";
import { UsageError } from "./usage-error.ts";

const email = ["--email", "ada@example.com"];
const named = [...email, "--name", " Ada "];

test("creates an admin from address and name, and prompts for the password", () => {
  expect(readAdminRequest(named)).toEqual({
    kind: "create",
    email: "ada@example.com",
    name: "Ada",
    data: {},
    password: "ask",
  });
});

test("accepts a piped password, and additional fields as JSON", () => {
  const args = [...named, "--password-stdin", "--data", '{"plan":"staff"}'];
  expect(readAdminRequest(args)).toMatchObject({ data: { plan: "staff" }, password: "stdin" });
});

test("promotes a user with only an address", () => {
  expect(readAdminRequest([...email, "--promote"])).toEqual({
    kind: "promote",
    email: "ada@example.com",
    resetsSecondFactor: false,
  });
});

test("removes a second factor only of an existing user", () => {
  const reset = "--reset-second-factor";
  expect(readAdminRequest([...email, "--promote", reset])).toEqual({
    kind: "promote",
    email: "ada@example.com",
    resetsSecondFactor: true,
  });
  expect(() => readAdminRequest([...email, "--name", "Ada", reset])).toThrow(UsageError);
});

test.each([
  ["no address", ["--name", "Ada"]],
  ["no name", email],
  ["an empty name", [...email, "--name", "  "]],
  ["an invalid address", ["--email", "ada", "--name", "Ada"]],
  ["a password", [...named, "--password", "hunter2"]],
  ["a password in the same argument", [...named, "--password=hunter2"]],
  ["a surplus word", [...named, "hunter2"]],
  ["an unknown option", [...named, "--pass=hunter2"]],
  ["an unknown short option", [...named, "-phunter2"]],
  ["data that is not JSON", [...named, "--data", "hunter2"]],
  ["data that is a list", [...named, "--data", '["hunter2"]']],
  ["a new name for a user to promote", [...named, "--promote"]],
  ["a password for a user to promote", [...email, "--promote", "--password-stdin"]],
])("%s is refused, and no value is repeated: it may be a password", (_what, args) => {
  let refused: unknown;
  try {
    readAdminRequest(args);
  } catch (error) {
    refused = error;
  }
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as UsageError).message).not.toContain("hunter2");
});

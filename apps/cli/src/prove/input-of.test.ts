import type { Operation } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { idsOf, read } from "./ids-in-input.ts";
import { inputOf } from "./input-of.ts";
import { publicOperations } from "./offered-operations.ts";

const ids = {
  organizationId: "an organization",
  slug: "a-slug",
  memberId: "a member",
  userId: "a user",
  invitationId: "an invitation",
  keyId: "a key",
  teamId: "a team",
  roleId: "a role",
  passkeyId: "a passkey",
  trustedDeviceId: "a browser",
  webhookId: "a webhook",
  webhookDeliveryId: "a delivery",
  sessionToken: "a token",
};

/** New operations are attacked too. Otherwise this test fails. */
describe.each(
  publicOperations.map((operation): [string, Operation] => [operation.name, operation]),
)("%s", (_name, operation) => {
  const input = inputOf(operation, { ids });

  test("gets a valid input", () => {
    for (const part of ["params", "query", "body"] as const)
      expect(operation[part]?.safeParse(input[part]).error).toBeUndefined();
  });

  test("gets an id in every place that takes one", () => {
    expect(idsOf(operation).filter((place) => read(input, place) === undefined)).toEqual([]);
  });
});

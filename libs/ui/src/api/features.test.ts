import { allOperations, type FeatureName, operations } from "@latchkey/contracts";
import { describe, expect, test } from "vitest";
import { idlePermissions, isOfferedBy } from "./features.ts";

const features = [...new Set(allOperations.flatMap(({ feature }) => feature ?? []))];
const without = (...off: FeatureName[]) =>
  new Set<string>(features.filter((name) => !off.includes(name)));

const { adminListIdentityAudit } = operations.identity;
const { adminListOrganizationAudit } = operations.organization;

describe("a feature that is off", () => {
  test("removes its operations and no others", () => {
    const on = without("organization", "organizationAdmin");
    expect(isOfferedBy(on, adminListOrganizationAudit)).toBe(false);
    expect(isOfferedBy(on, adminListIdentityAudit)).toBe(true);
  });

  test.each([
    [["organization", "organizationAdmin"], "organization"],
    [["apiKey", "apiKeyAdmin"], "apiKey"],
  ] as const)("makes all permissions on its resource useless: %j", (off, resource) => {
    const idle = idlePermissions(without(...off), allOperations);
    expect([...idle]).toContain(`${resource}:list`);
    expect([...idle].filter((permission) => !permission.startsWith(`${resource}:`))).toEqual([]);
  });

  test("removes nothing if all features are on or the features are unknown", () => {
    expect([...idlePermissions(without(), allOperations)]).toEqual([]);
    expect([...idlePermissions(undefined, allOperations)]).toEqual([]);
    expect(isOfferedBy(undefined, adminListOrganizationAudit)).toBe(true);
  });
});

import { adminStatements, auditedServices, type Operation, operations } from "@latchkey/contracts";

/** The parts of an operation that the page needs to call it and to decide whether it is offered and to whom. */
const inBrief = ({ method, path, access, feature, permission }: Operation) => ({
  method,
  path,
  access,
  feature,
  permission: permission && { resource: permission.resource, action: permission.action },
});

/**
 * Returns the contracts without their schemas. The types stay with the compiler, so the browser receives only the address and the
 * access rules of each operation. Internal operations are left out.
 */
export const contractsInBrief = () => ({
  operations: Object.fromEntries(
    Object.entries(operations).map(([owner, owned]) => [
      owner,
      Object.fromEntries(
        Object.entries(owned)
          .filter(([, { exposure }]) => exposure === "public")
          .map(([name, declared]) => [name, inBrief(declared)]),
      ),
    ]),
  ),
  adminStatements,
  auditedServices,
});

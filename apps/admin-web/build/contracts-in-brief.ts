import { adminStatements, auditedServices, type Operation, operations } from "@latchkey/contracts";

/** What the page needs of an operation to ask for it, and to know whether it is there and who may. */
const inBrief = ({ method, path, access, feature, permission }: Operation) => ({
  method,
  path,
  access,
  feature,
  permission: permission && { resource: permission.resource, action: permission.action },
});

/**
 * The contracts without their schemas, for the page: the types stay with the compiler, so that of every operation only
 * where it is and for whom travels to the browser. Internal operations stay at home.
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

import {
  adminStatements,
  applicationEvents,
  auditedServices,
  type Operation,
  operations,
} from "@latchkey/contracts";
import { type WebName, wordsOf } from "./web-sources.ts";

/** The parts of an operation that the page needs to call it and to decide whether it is offered and to whom. */
const inBrief = ({ method, path, access, feature, permission }: Operation) => ({
  method,
  path,
  access,
  feature,
  permission: permission && { resource: permission.resource, action: permission.action },
});

/**
 * Returns a check of whether a web calls an operation. The account web names those that it calls in its sources, and its sign-in page must
 * stay small. The admin web also goes through all of them.
 */
const usesOf = (web: WebName): ((operation: Operation) => boolean) => {
  if (web === "admin") return ({ exposure }) => exposure === "public";
  const words = wordsOf(web);
  return ({ exposure, name }) => exposure === "public" && words.has(name);
};

/**
 * Returns the contracts without their schemas. The types stay with the compiler, so the browser receives only the address and the
 * access rules of each operation. Internal operations are left out.
 */
export const contractsInBrief = (web: WebName) => {
  const isUsed = usesOf(web);
  return {
    operations: Object.fromEntries(
      Object.entries(operations).map(([owner, owned]) => [
        owner,
        Object.fromEntries(
          Object.entries(owned)
            .filter(([, declared]) => isUsed(declared))
            .map(([name, declared]) => [name, inBrief(declared)]),
        ),
      ]),
    ),
    ...(web === "admin" && { adminStatements, auditedServices }),
  };
};

/**
 * Returns the events of applications without their schemas, with the permission that an admin needs to receive each. Webhooks of an
 * organization receive those whose data names one.
 */
export const eventsInBrief = () =>
  Object.entries(applicationEvents).map(([type, { summary, permission, data }]) => ({
    type,
    summary,
    permission: `${permission.resource}:${permission.action}`,
    isOfOrganizations: "organizationId" in data.shape,
  }));

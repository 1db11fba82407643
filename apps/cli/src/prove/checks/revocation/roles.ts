import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { enrol, withOrganization } from "../../organizations.ts";
import { watchRight } from "../../watch-right.ts";
import { NotProven } from "../../not-proven.ts";

const { identity, organization } = operations;

/** Every request reads the role again. */
export const takenRole: Check = {
  class: "revocation",
  name: "a user who loses the admin role loses its permissions",
  remedy: "Roles outlive their removal. Check /admin/health, and update Latchkey.",
  run: async (context) => {
    const [role] = [context.option("admin.adminRoles")].flat();
    if (typeof role !== "string") throw new NotProven("admin.adminRoles");
    const { id, browser } = await context.newPerson({ role });
    const ordinary = context.option("admin.defaultRole") ?? "user";
    return watchRight(context, {
      replicas: context.gateway.replicas.length,
      use: (replica) =>
        browser.copy().ask(identity.adminGetUser, { params: { id } }, { replica, isOnce: true }),
      holds: ({ status }) => status === 200,
      take: () =>
        context.admin().ask(identity.adminSetRole, { body: { userId: id, role: ordinary } }),
    });
  },
};

/** Checks that a removed member can no longer read the organization. */
export const removedMember: Check = {
  class: "revocation",
  name: "a removed member can no longer read the organization",
  remedy: "Memberships outlive their removal. Check /admin/health, and update Latchkey.",
  run: async (context) => {
    const { ada, mia } = await context.people();
    return withOrganization(context, ada, async (organizationId) => {
      const memberIdOrEmail = await enrol(context, mia, { organizationId });
      const query = { organizationId };
      return watchRight(context, {
        replicas: context.gateway.replicas.length,
        use: (replica) =>
          mia.browser
            .copy()
            .ask(organization.getFullOrganization, { query }, { replica, isOnce: true }),
        holds: ({ status }) => status === 200,
        take: () =>
          ada.browser.ask(organization.removeMember, { body: { memberIdOrEmail, organizationId } }),
      });
    });
  },
};

import { operations } from "@latchkey/contracts";
import type { Check } from "../../check.ts";
import { enrol, withOrganization } from "../../organizations.ts";
import { watchRight } from "../../watch-right.ts";
import { NotProven } from "../../not-proven.ts";

const { identity, organization } = operations;

/** A role is looked up anew with each request. */
export const takenRole: Check = {
  class: "revocation",
  name: "who loses the role of an admin loses what it allowed",
  remedy: "Roles outlive their end: look at /admin/health, and update.",
  run: async (ground) => {
    const [role] = [ground.option("admin.adminRoles")].flat();
    if (typeof role !== "string") throw new NotProven("admin.adminRoles");
    const { id, browser } = await ground.newPerson({ role });
    const ordinary = ground.option("admin.defaultRole") ?? "user";
    return watchRight(ground, {
      replicas: ground.door.replicas.length,
      use: (replica) =>
        browser.copy().ask(identity.adminGetUser, { params: { id } }, { replica, isOnce: true }),
      holds: ({ status }) => status === 200,
      take: () =>
        ground.admin().ask(identity.adminSetRole, { body: { userId: id, role: ordinary } }),
    });
  },
};

/** Who is removed from an organization sees nothing more of it. */
export const removedMember: Check = {
  class: "revocation",
  name: "who is removed from an organization sees no more of it",
  remedy: "Memberships outlive their end: look at /admin/health, and update.",
  run: async (ground) => {
    const { ada, mia } = await ground.people();
    return withOrganization(ground, ada, async (organizationId) => {
      const memberIdOrEmail = await enrol(ground, mia, { organizationId });
      const query = { organizationId };
      return watchRight(ground, {
        replicas: ground.door.replicas.length,
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

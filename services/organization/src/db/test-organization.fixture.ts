import { createSecretRing, randomToken } from "@latchkey/crypto";
import { createFieldSets } from "@latchkey/service-kit/fields";
import { createUrgentEvents } from "@latchkey/service-kit/events";
import { createServiceClient } from "@latchkey/service-kit/http";
import { type Person, serviceFixture, testSecret } from "@latchkey/testkit";
import type { Kysely, Selectable } from "kysely";
import { type OrganizationConfig, readOrganizationConfig } from "../config.ts";
import { createUserLookUp } from "../users/create-user-look-up.ts";
import { migrations } from "./migrations.ts";
import { type OrganizationTable, schema, type Tables } from "./tables.ts";

export const newTextId = () => randomToken(32, "alphanumeric");

const fixture = serviceFixture<Tables, OrganizationConfig>({
  schema,
  folder: import.meta.dirname,
  migrations,
  readConfig: readOrganizationConfig,
});
export const { connect: connectOrganization, create: createOrganizationDatabase } = fixture;
export const { open: openOrganizationDatabase, configOf: organizationConfig } = fixture;

/** Creates the dependencies of the features. Calls to identity are refused. */
export const createTestDeps = (
  db: Kysely<Tables>,
  { tree = {}, clock = Date.now }: { tree?: object; clock?: () => number } = {},
) => {
  const ring = createSecretRing([testSecret]);
  const identity = createServiceClient({ to: ["http://127.0.0.1:1"], from: schema, ring, clock });
  const config = organizationConfig(tree);
  return {
    config,
    fields: createFieldSets(config.additionalFields),
    schema,
    db,
    clock,
    logger: fixture.logger,
    ring,
    newId: async () => newTextId(),
    newEventId: newTextId,
    identity,
    lookUpUsers: createUserLookUp(identity),
    urgentEvents: createUrgentEvents(),
    wakeRelay: () => {},
  };
};

/** Creates an organization with members by role. Returns it and its membership rows by user. */
export const seedOrganization = async (
  db: Kysely<Tables>,
  users: readonly { person: Person; role: string; teamId?: string }[],
  given: Partial<Omit<Selectable<OrganizationTable>, "extra">> = {},
) => {
  const id = given.id ?? newTextId();
  const createdAt = new Date();
  const organization = {
    name: "Acme",
    slug: id.toLowerCase(),
    logo: null,
    metadata: null,
    ...given,
    id,
    createdAt,
  };
  await db.insertInto("organization").values(organization).execute();
  const members = users.map(({ person, role, teamId = null }, index) => ({
    id: newTextId(),
    organizationId: id,
    userId: person.user.id,
    role,
    teamId,
    createdAt: new Date(createdAt.getTime() + index),
  }));
  if (members.length > 0) await db.insertInto("member").values(members).execute();
  return {
    organization,
    memberOf: ({ user }: Person) => {
      const member = members.find(({ userId }) => userId === user.id);
      if (!member) throw new Error("not a member");
      return member;
    },
  };
};

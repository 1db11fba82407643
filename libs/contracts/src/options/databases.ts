import { z } from "zod";
import type { ServiceName } from "../service-name.ts";
import { section } from "./option.ts";

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres URL" });

/** An address of Postgres, with what signs in there. */
export const databaseUrl = (meaning: string) =>
  postgresUrl.optional().describe(meaning).meta({ secret: "address" });

const databaseOf = (service: ServiceName) => {
  const prefix = service.toUpperCase();
  return section({
    url: databaseUrl(
      `Postgres by a role of this service's own, in place of \`databaseUrl\`. (${prefix}_DATABASE_URL)`,
    ),
    directUrl: databaseUrl(
      `The same without a pooler between; by default that role where \`directDatabaseUrl\` leads. (${prefix}_DIRECT_DATABASE_URL)`,
    ),
  });
};

export const databaseOptions = section({
  gateway: databaseOf("gateway"),
  identity: databaseOf("identity"),
  organization: databaseOf("organization"),
  apikey: databaseOf("apikey"),
  mailer: databaseOf("mailer"),
});

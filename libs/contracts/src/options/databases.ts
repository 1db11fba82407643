import { z } from "zod";
import type { ServiceName } from "../service-name.ts";
import { serviceVariables } from "../service-variables.ts";
import { section } from "./option.ts";

/** Parameters that the driver would take over what stands before the host, past whoever looks for the role there. */
const roleParameters = ["user", "password"] as const;

const namesRoleOnce = (text: string): boolean => {
  const parameters = URL.parse(text)?.searchParams;
  return !roleParameters.some((name) => parameters?.has(name));
};

const isEncoded = (text: string): boolean => {
  try {
    const { username = "", password = "", pathname = "" } = URL.parse(text) ?? {};
    return [username, password, pathname].every((part) => decodeURIComponent(part) !== undefined);
  } catch {
    return false;
  }
};

const postgresUrl = z
  .url({ protocol: /^postgres(ql)?$/, error: "must be a postgres URL" })
  .refine(namesRoleOnce, { error: "must name user and password before the host alone" })
  .refine(isEncoded, { error: "must have a % of its user, password or name written as %25" });

/** An address of Postgres, with what signs in there. */
export const databaseUrl = (meaning: string) =>
  postgresUrl.optional().describe(meaning).meta({ secret: "address" });

const databaseOf = (service: ServiceName) => {
  const variables = serviceVariables(service);
  return section({
    url: databaseUrl(
      `Postgres by a role of this service's own, in place of \`databaseUrl\`. (${variables.databaseUrl})`,
    ),
    directUrl: databaseUrl(
      `The same without a pooler between; by default that role where \`directDatabaseUrl\` leads. (${variables.directDatabaseUrl})`,
    ),
  });
};

/** For each service, the addresses of its own role. */
export const databaseOptions = section({
  gateway: databaseOf("gateway"),
  identity: databaseOf("identity"),
  organization: databaseOf("organization"),
  apikey: databaseOf("apikey"),
  mailer: databaseOf("mailer"),
});

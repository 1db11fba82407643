import { z } from "zod";
import type { ServiceName } from "../service-name.ts";
import { serviceVariables } from "../service-variables.ts";
import { section } from "./option.ts";

/** Parameters that override the role before the host in the driver. Code that reads the role from there would be bypassed. */
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
  .refine(namesRoleOnce, { error: "must name user and password only before the host" })
  .refine(isEncoded, { error: "must encode a % in its user, password or name as %25" });

/** A Postgres URL with credentials. */
export const databaseUrl = (meaning: string) =>
  postgresUrl.optional().describe(meaning).meta({ secret: "address" });

const databaseOf = (service: ServiceName) => {
  const variables = serviceVariables(service);
  return section({
    url: databaseUrl(
      `Postgres with a role of this service's own, instead of \`databaseUrl\`. (${variables.databaseUrl})`,
    ),
    directUrl: databaseUrl(
      `The same without a pooler in between. By default this role at the address of \`directDatabaseUrl\`. (${variables.directDatabaseUrl})`,
    ),
  });
};

/** For each service, the URLs of its own role. */
export const databaseOptions = section({
  gateway: databaseOf("gateway"),
  identity: databaseOf("identity"),
  organization: databaseOf("organization"),
  apikey: databaseOf("apikey"),
  mailer: databaseOf("mailer"),
  webhooks: databaseOf("webhooks"),
  oauth: databaseOf("oauth"),
});
